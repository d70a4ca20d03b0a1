"use strict";
// Adds filters and sorting to a page that is complete without them.
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const status = document.getElementById("shown");
  const fields = ["class", "repo", "owner", "text"].map((id) => document.getElementById(id));
  const cards = [...document.querySelectorAll(".cards a")];
  const order = new Intl.Collator("en", { numeric: true });

  let rows = [...table.tBodies].map((body) => ({
    body,
    name: body.dataset.class,
    repo: body.dataset.repo,
    owners: body.dataset.owners.split("\n"),
    keys: [...body.rows[0].cells].map((cell) => cell.dataset.key ?? cell.textContent),
    text: null,
  }));

  function textOf(row) {
    row.text ??= row.body.textContent.toLowerCase();
    return row.text;
  }

  function filter() {
    const [name, repo, owner, text] = fields.map((field) => field.value);
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const matches =
        (!name || row.name === name) &&
        (!repo || row.repo === repo) &&
        (!owner || row.owners.includes(owner)) &&
        words.every((word) => textOf(row).includes(word));
      row.body.hidden = !matches;
      shown += matches;
    }
    for (const card of cards) {
      if (name && card.dataset.class === name) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
    status.textContent = shown
      ? `${shown} of ${rows.length} pull requests`
      : `None of ${rows.length} pull requests matches; show all, or choose something else.`;
  }

  function sort(heading) {
    const column = heading.cellIndex;
    const descending = heading.getAttribute("aria-sort") === "ascending";
    rows.sort((a, b) => order.compare(a.keys[column], b.keys[column]) * (descending ? -1 : 1));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    table.append(...rows.map((row) => row.body));
  }

  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(heading));
    heading.append(button);
  }
  for (const field of fields) field.addEventListener("input", filter);
  for (const card of cards) {
    card.addEventListener("click", () => {
      fields[0].value = card.dataset.class;
      filter();
    });
  }
  document.getElementById("reset").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    filter();
    fields[0].focus();
  });
  document.getElementById("filters").hidden = false;
  // A browser that comes back to the page may bring earlier choices with it.
  if (fields.some((field) => field.value)) filter();
})();
