"""GraphQL, executed against an extract of GitHub's own schema."""

from __future__ import annotations

from functools import cache
from typing import Any

from graphql import GraphQLError, GraphQLSchema, build_schema, execute_sync, parse, validate
from support.world import (
    Comment,
    Commit,
    LineComment,
    PullRequest,
    Repository,
    Review,
    Token,
    User,
    World,
)
from wire.loopback.connection import MAX_PAGE, connection, refuse
from wire.loopback.contract import FACTS
from wire.loopback.graph_lists import pulls, queue, state_of, statuses, suites, touched_at
from wire.loopback.request import commits_of
from wire.loopback.shapes import HTML, blob_sha, updated_at


@cache
def schema() -> GraphQLSchema:
    return build_schema((FACTS / "schema.graphql").read_text("utf-8"), no_location=True)


def answer(world: World, token: Token, query: str, variables: dict[str, Any]) -> dict[str, Any]:
    """What GitHub answers, always with status 200: `data`, and `errors` if there are any."""
    document = parse(query)
    invalid = validate(schema(), document)
    if invalid:
        return {"errors": [_error(error) for error in invalid]}
    result = execute_sync(schema(), document, Graph(world, token).root(), variable_values=variables)
    found: dict[str, Any] = {"data": result.data}
    if result.errors:
        found["errors"] = [_error(error) for error in result.errors]
    return found


def _error(error: GraphQLError) -> dict[str, Any]:
    described = {"message": error.message, "path": error.path}
    if "type" in (error.extensions or {}):
        described["type"] = error.extensions["type"]
    return described


class Graph:
    """The world as nested values; fields that cost something are functions, called when asked."""

    def __init__(self, world: World, token: Token) -> None:
        self._world = world
        self._token = token

    def root(self) -> dict[str, Any]:
        return {
            "viewer": lambda _: self._actor(self._token.account) | {"__typename": "User"},
            "repository": self._find_repository,
            "node": lambda _, **given: self._node(given["id"]),
            "nodes": self._nodes,
            "rateLimit": {"cost": 1, "limit": 5000, "remaining": 4999, "used": 1},
            "minimizeComment": lambda _, **given: self._minimize(**given["input"]),
            "unminimizeComment": lambda _, **given: self._minimize(**given["input"]),
        }

    def _find_repository(self, _: Any, owner: str, name: str, **__: Any) -> dict[str, Any]:
        wanted = f"{owner}/{name}"
        repo = self._world.repository(wanted) or self._world.renamed(wanted)
        if repo is None or not self._sees(repo):
            raise refuse(
                "NOT_FOUND", f"Could not resolve to a Repository with the name '{wanted}'."
            )
        return self._repository(repo)

    def _sees(self, repo: Repository) -> bool:
        return not repo.private or self._token.account.login.lower() in repo.roles

    def _repository(self, repo: Repository) -> dict[str, Any]:
        return {
            "__typename": "Repository",
            "id": f"R_{repo.id}",
            "databaseId": repo.id,
            "name": repo.name,
            "nameWithOwner": repo.full_name,
            "isPrivate": repo.private,
            "isArchived": repo.archived,
            "isFork": repo.fork,
            "isEmpty": not repo.branches,
            "url": f"{HTML}/{repo.full_name}",
            "owner": {"__typename": "Organization", "login": repo.owner},
            "defaultBranchRef": lambda _: self._ref(repo, repo.default_branch),
            "ref": lambda _, **given: self._ref(
                repo, given["qualifiedName"].removeprefix("refs/heads/")
            ),
            "object": lambda _, expression=None, oid=None: self._object(repo, expression or oid),
            "pullRequest": lambda _, number: self._find_pull(repo, number),
            "pullRequests": pulls(repo, lambda pull: self._pull(repo, pull)),
            "mergeQueue": queue(repo, lambda pull: self._pull(repo, pull)),
        }

    def _ref(self, repo: Repository, branch: str) -> dict[str, Any] | None:
        if branch not in repo.branches:
            return None
        return {
            "id": f"REF_{branch}",
            "name": branch,
            "prefix": "refs/heads/",
            "target": self._commit(repo.branches[branch]),
        }

    def _object(self, repo: Repository, expression: str) -> dict[str, Any] | None:
        """What git finds at `COMMIT`, or at `COMMIT:PATH` in its tree."""
        ref, _, path = expression.partition(":")
        commit = repo.branches.get(ref.removeprefix("refs/heads/"), ref)
        if commit not in commits_of(repo) | repo.trees.keys():
            return None
        if not path:
            return self._commit(commit)
        tree = repo.trees.get(commit, {})
        if path in tree:
            return self._blob(tree[path])
        if any(name.startswith(f"{path}/") for name in tree):
            return self._tree(path, tree)
        return None

    def _tree(self, path: str, tree: dict[str, bytes]) -> dict[str, Any]:
        """A directory, whose id follows from what it holds."""
        below = sorted(
            (name, blob_sha(data)) for name, data in tree.items() if name.startswith(f"{path}/")
        )
        return {"__typename": "Tree", "id": f"T_{path}", "oid": blob_sha(repr(below).encode())}

    def _blob(self, data: bytes) -> dict[str, Any]:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = None
        return {
            "__typename": "Blob",
            "oid": blob_sha(data),
            "byteSize": len(data),
            "isBinary": text is None,
            "isTruncated": len(data) > 512 * 1024,
            "text": text[: 512 * 1024] if text is not None else None,
        }

    def _find_pull(self, repo: Repository, number: int) -> dict[str, Any]:
        if number not in repo.pulls:
            raise refuse(
                "NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}."
            )
        return self._pull(repo, repo.pulls[number])

    def _pull(self, repo: Repository, pull: PullRequest) -> dict[str, Any]:
        page = f"{HTML}/{repo.full_name}/pull/{pull.number}"
        head = self._world.repository(pull.head_repo) if pull.head_repo else None
        files = len(pull.files) if pull.counted_files is None else pull.counted_files
        return {
            "__typename": "PullRequest",
            "id": f"PR_{repo.id}_{pull.number}",
            "number": pull.number,
            "title": pull.title,
            "body": pull.body or "",
            "url": page,
            "state": state_of(pull),
            "updatedAt": touched_at(pull),
            "isDraft": pull.draft,
            "merged": pull.merged_at is not None,
            "mergedAt": pull.merged_at,
            "closed": pull.state == "closed",
            "createdAt": pull.created_at,
            "author": self._actor(pull.author),
            "headRefOid": pull.head_sha,
            "headRefName": pull.head_ref,
            "headRef": lambda _: self._ref(head, pull.head_ref) if head else None,
            "headRepository": self._repository(head) if head else None,
            "isCrossRepository": pull.head_repo != repo.full_name,
            "baseRefOid": pull.base_sha,
            "baseRefName": pull.base_ref,
            "baseRef": lambda _: self._ref(repo, pull.base_ref),
            "changedFiles": files,
            "labels": connection("labels", pull.labels, lambda name: {"id": name, "name": name}),
            "comments": connection(
                "comments", pull.comments, lambda c: self._comment(repo, pull, c)
            ),
            "reviews": connection("reviews", pull.reviews, lambda c: self._comment(repo, pull, c)),
            "reviewThreads": connection(
                "reviewThreads", pull.line_comments, lambda c: self._thread(repo, pull, c)
            ),
            "commits": connection(
                "commits", pull.commits, lambda c: {"id": c.sha, "commit": self._listed(repo, c)}
            ),
            "files": connection("files", pull.files, lambda f: {"path": f.path}),
        }

    def _listed(self, repo: Repository, commit: Commit) -> dict[str, Any]:
        """A commit of a pull request, with what only those have in a world."""
        author = {"user": self._actor(commit.author)}
        return self._commit(commit.sha) | {
            "message": commit.message,
            "committedDate": commit.date,
            "author": author,
            "committer": author,
            "parents": connection("parents", commit.parents, self._commit),
            "checkSuites": suites(repo, commit.sha),
            "status": lambda _: statuses(repo, commit.sha, self._actor),
        }

    def _commit(self, sha: str) -> dict[str, Any]:
        return {"__typename": "Commit", "id": f"C_{sha}", "oid": sha, "abbreviatedOid": sha[:7]}

    def _thread(self, repo: Repository, pull: PullRequest, comment: LineComment) -> dict[str, Any]:
        comments = connection("comments", [comment], lambda c: self._comment(repo, pull, c))
        return {"id": f"PRRT_{comment.id}", "isResolved": comment.resolved, "comments": comments}

    def _comment(self, repo: Repository, pull: PullRequest, comment: Comment) -> dict[str, Any]:
        kind, prefix, fragment = "IssueComment", "IC", "issuecomment-"
        more: dict[str, Any] = {}
        if isinstance(comment, Review):
            kind, prefix, fragment = "PullRequestReview", "PRR", "pullrequestreview-"
            more = {"state": comment.state, "submittedAt": comment.created_at}
        elif isinstance(comment, LineComment):
            kind, prefix, fragment = "PullRequestReviewComment", "PRRC", "discussion_r"
            more = {"path": comment.path, "line": comment.line}
        edits = comment.edits
        return {
            "__typename": kind,
            "id": f"{prefix}_{comment.id}",
            "databaseId": comment.id,
            "fullDatabaseId": str(comment.id),
            "url": f"{HTML}/{repo.full_name}/pull/{pull.number}#{fragment}{comment.id}",
            "author": self._actor(comment.author),
            "authorAssociation": comment.association,
            "body": comment.body,
            "createdAt": comment.created_at,
            "publishedAt": comment.created_at,
            "updatedAt": updated_at(comment),
            "lastEditedAt": edits[-1].at if edits else None,
            "editor": self._actor(edits[-1].by) if edits else None,
            "includesCreatedEdit": bool(edits),
            "isMinimized": comment.minimized is not None,
            "minimizedReason": comment.minimized,
            "viewerDidAuthor": comment.author == self._token.account,
            "userContentEdits": connection(
                "userContentEdits",
                # Newest first; GitHub lists the text as first posted as an edit too.
                [*reversed(edits), *([_Posted(comment)] if edits else [])],
                lambda edit: {
                    "id": f"UCE_{edit.at}",
                    "editedAt": edit.at,
                    "createdAt": edit.at,
                    "editor": self._actor(edit.by),
                },
            ),
            **more,
        }

    def _actor(self, user: User | None) -> dict[str, Any] | None:
        """GraphQL leaves the `[bot]` off the names of apps, except of the viewer."""
        if user is None:
            return None
        viewer = user.id == self._token.account.id
        return {
            "__typename": user.type,
            "id": f"U_{user.id}",
            "databaseId": user.id,
            "login": user.login if viewer else user.login.removesuffix("[bot]"),
            "url": f"{HTML}/{user.login}",
        }

    def _everything(self) -> dict[str, tuple[Repository, PullRequest, Comment]]:
        found: dict[str, tuple[Repository, PullRequest, Comment]] = {}
        for repo in filter(self._sees, self._world.repositories.values()):
            for pull in repo.pulls.values():
                found |= {f"IC_{c.id}": (repo, pull, c) for c in pull.comments}
                found |= {f"PRR_{c.id}": (repo, pull, c) for c in pull.reviews}
                found |= {f"PRRC_{c.id}": (repo, pull, c) for c in pull.line_comments}
        return found

    def _pull_of(self, id: str) -> dict[str, Any] | None:
        """The pull request of a node id such as `PR_11_31`."""
        kind, _, rest = id.partition("_")
        repo_id, _, number = rest.partition("_")
        for repo in filter(self._sees, self._world.repositories.values()):
            if kind == "PR" and str(repo.id) == repo_id and int(number) in repo.pulls:
                return self._pull(repo, repo.pulls[int(number)])
        return None

    def _node(self, id: str) -> dict[str, Any]:
        found = self._everything().get(id)
        if found is None:
            raise refuse("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'.")
        return self._comment(*found)

    def _nodes(self, _: Any, ids: list[str]) -> list[Any]:
        if len(ids) > MAX_PAGE:
            raise refuse(
                "ARGUMENT_LIMIT",
                f"You may not provide more than 100 node ids; you provided {len(ids)}.",
            )
        missing = refuse("NOT_FOUND", "Could not resolve to a node with the global id given.")
        if all(one.startswith("PR_") for one in ids):
            return [self._pull_of(one) or missing for one in ids]
        found = self._everything()
        return [self._comment(*found[one]) if one in found else missing for one in ids]

    def _minimize(
        self,
        subjectId: str,  # noqa: N803 - GitHub's name
        classifier: str | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        found = self._everything().get(subjectId)
        if found is None:
            raise refuse("NOT_FOUND", "Could not resolve to a node with that global id.")
        held = self._token.permissions
        if held is not None and held.get("pull_requests") != "write":
            raise refuse("FORBIDDEN", "Resource not accessible by integration")
        found[2].minimized = classifier.lower() if classifier else None
        comment = self._comment(*found)
        return {"minimizedComment": comment, "unminimizedComment": comment}


class _Posted:
    """The entry that stands for a comment's first text among its edits."""

    def __init__(self, comment: Comment) -> None:
        self.at = comment.created_at
        self.by = comment.author
