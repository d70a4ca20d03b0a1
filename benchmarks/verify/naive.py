"""The same questions, asked the plain way: one after the other, with PyGithub as it comes.

Usage: naive.py API_URL TOKEN REPO NUMBER [unthrottled]
"""

from __future__ import annotations

import sys

from github import Auth, Github

CODEOWNERS = ".github/CODEOWNERS"
TEMPLATE = "docs/PR_REVIEW_CHECKLIST.md"
PACE = {"unthrottled": {"seconds_between_requests": None, "seconds_between_writes": None}}


def ask(api_url: str, token: str, repo_name: str, number: int, pace: str = "") -> None:
    """Reads everything that the verdict rests on."""
    github = Github(auth=Auth.Token(token), base_url=api_url, **PACE.get(pace, {}))
    repo = github.get_repo(repo_name)
    pull = repo.get_pull(number)
    files = list(pull.get_files())
    commits = list(pull.get_commits())
    comments = list(pull.get_issue_comments())
    reviews = list(pull.get_reviews())
    line_comments = list(pull.get_review_comments())
    owners = repo.get_contents(CODEOWNERS, ref=pull.base.ref)
    form = repo.get_contents(TEMPLATE, ref=pull.base.ref)
    checks = [check for commit in commits for check in commit.get_check_runs()]
    runs = list(repo.get_workflow_runs(branch=pull.head.ref, event="pull_request"))
    jobs = [job for run in runs for job in run.jobs()]
    artifacts = [artifact for run in runs for artifact in run.get_artifacts()]
    upstream = github.get_repo("vllm-project/recipes").get_pull(512)
    read = (files, commits, comments, reviews, line_comments, checks, jobs, artifacts)
    items = ", ".join(str(len(one)) for one in read)
    sys.stdout.write(f"{items}; {owners.path}, {form.path}; recipe merged: {upstream.merged}\n")
    github.close()


if __name__ == "__main__":
    api_url, token, repo_name, number, *pace = sys.argv[1:]
    ask(api_url, token, repo_name, int(number), *pace)
