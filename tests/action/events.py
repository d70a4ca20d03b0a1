"""Events as GitHub hands them to a workflow: the parts that somebody might read."""

from __future__ import annotations

from typing import Any

from support.world import Comment, PullRequest, Repository, Run, User, user

Event = dict[str, Any]
SOMEBODY = user("bram-ito")


def _account(account: User | None) -> Event | None:
    return account and {"login": account.login, "id": account.id, "type": account.type}


def _common(repo: Repository, action: str | None, sender: User) -> Event:
    owner = {"login": repo.owner, "type": "Organization"}
    found: Event = {
        "repository": {
            "id": repo.id,
            "full_name": repo.full_name,
            "name": repo.name,
            "owner": owner,
            "default_branch": repo.default_branch,
        },
        "sender": _account(sender),
    }
    return found if action is None else found | {"action": action}


def _pull(repo: Repository, pull: PullRequest) -> Event:
    return {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "state": pull.state,
        "draft": pull.draft,
        "user": _account(pull.author),
        "labels": [{"name": label} for label in pull.labels],
        "head": {
            "ref": pull.head_ref,
            "sha": pull.head_sha,
            "label": f"{(pull.head_repo or '').split('/')[0]}:{pull.head_ref}",
            "repo": {"full_name": pull.head_repo},
        },
        "base": {
            "ref": pull.base_ref,
            "sha": pull.base_sha,
            "repo": {"full_name": repo.full_name},
        },
    }


def issue_comment(
    repo: Repository,
    pull: PullRequest,
    comment: Comment,
    action: str = "created",
    before: str | None = None,
    sender: User | None = None,
) -> Event:
    """A comment in the conversation was created, edited (it read `before`) or deleted."""
    found = _common(repo, action, sender or comment.author or SOMEBODY)
    if before is not None:
        found["changes"] = {"body": {"from": before}}
    shown = _pull(repo, pull)
    issue = {key: shown[key] for key in ("number", "title", "body", "state", "draft", "user")}
    issue |= {"pull_request": {"url": "https://api.github.com/"}, "labels": shown["labels"]}
    body = {"id": comment.id, "body": comment.body, "user": _account(comment.author)}
    return found | {"issue": issue, "comment": body}


def pull_request(
    repo: Repository, pull: PullRequest, action: str, changes: Event | None = None
) -> Event:
    """A pull request was opened, pushed to, retargeted and so on."""
    found = _common(repo, action, pull.author or SOMEBODY)
    if changes is not None:
        found["changes"] = changes
    return found | {"number": pull.number, "pull_request": _pull(repo, pull)}


def review(repo: Repository, pull: PullRequest, body: str) -> Event:
    """Somebody reviewed."""
    about = {"id": 3_900_000_001, "body": body, "user": _account(SOMEBODY), "state": "approved"}
    found = _common(repo, "submitted", SOMEBODY)
    return found | {"review": about, "pull_request": _pull(repo, pull)}


def workflow_run(repo: Repository, pull: PullRequest, run: Run) -> Event:
    """A run on a pull request's head ended. From a fork, `pull_requests` is empty."""
    head_repo = pull.head_repo or repo.full_name
    about = {
        "id": run.id,
        "name": run.name,
        "display_title": pull.title,
        "event": run.event,
        "status": "completed",
        "conclusion": run.conclusion,
        "head_branch": pull.head_ref,
        "head_sha": pull.head_sha,
        "head_commit": {"id": pull.head_sha, "message": pull.title},
        "head_repository": {
            "full_name": head_repo,
            "name": head_repo.split("/")[1],
            "owner": {"login": head_repo.split("/")[0]},
        },
        "path": run.workflow_path,
        "pull_requests": [],
    }
    found = _common(repo, "completed", run.actor)
    return found | {"workflow_run": about, "workflow": {"name": run.name}}


def workflow_dispatch(repo: Repository, pr: str) -> Event:
    """Somebody ran the workflow by hand."""
    return _common(repo, None, SOMEBODY) | {"inputs": {"pr": pr}, "ref": "refs/heads/main"}


def schedule(repo: Repository) -> Event:
    """It is time."""
    return _common(repo, None, SOMEBODY) | {"schedule": "17 3 * * *"}


def merge_group(repo: Repository, pull: PullRequest, head_sha: str) -> Event:
    """The merge queue asks for the checks of a group that holds one pull request."""
    group = {
        "head_sha": head_sha,
        "head_ref": f"refs/heads/gh-readonly-queue/main/pr-{pull.number}-{pull.base_sha}",
        "base_sha": pull.base_sha,
        "base_ref": f"refs/heads/{pull.base_ref}",
        "head_commit": {"id": head_sha, "message": f"Merge pull request #{pull.number}"},
    }
    return _common(repo, "checks_requested", SOMEBODY) | {"merge_group": group}
