"""The world's facts in the shapes of GitHub's REST answers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from support.world import (
    ChangedFile,
    Comment,
    Commit,
    LineComment,
    PullRequest,
    Push,
    Repository,
    Review,
    User,
    World,
)
from wire.loopback.contract import make

HTML = "https://github.com"
_RANKS = {"read": "pull", "triage": "triage", "write": "push", "maintain": "maintain"}


def blob_sha(content: bytes) -> str:
    """Git's own id of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class Shapes:
    """Builds answers; `api` is the address they must carry for a client to follow them."""

    world: World
    api: str

    def repo_url(self, repo: Repository) -> str:
        return f"{self.api}/repos/{repo.full_name}"

    def user(self, user: User | None, schema: str = "simple-user", **more: Any) -> Any:
        if user is None:
            return None
        page = user.login
        if user.type == "Bot":
            page = f"apps/{user.login.removesuffix('[bot]')}"
        return make(
            schema,
            login=user.login,
            id=user.id,
            node_id=f"U_{user.id}",
            type=user.type,
            url=f"{self.api}/users/{quote(user.login)}",
            html_url=f"{HTML}/{page}",
            **more,
        )

    def account(self, user: User) -> Any:
        return self.user(user, "public-user")

    def repository(self, repo: Repository, schema: str = "full-repository") -> dict[str, Any]:
        owner = User(repo.owner, abs(hash_id(repo.owner)), "Organization")
        more = {} if schema == "minimal-repository" else {"visibility": visibility(repo)}
        return make(
            schema,
            id=repo.id,
            node_id=f"R_{repo.id}",
            name=repo.name,
            full_name=repo.full_name,
            private=repo.private,
            owner=self.user(owner),
            default_branch=repo.default_branch,
            url=self.repo_url(repo),
            html_url=f"{HTML}/{repo.full_name}",
            **more,
        )

    def pull(
        self, repo: Repository, pull: PullRequest, schema: str = "pull-request"
    ) -> dict[str, Any]:
        url = f"{self.repo_url(repo)}/pulls/{pull.number}"
        head_repo = self.world.repository(pull.head_repo) if pull.head_repo else None
        counters = {
            "commits": len(pull.commits) if pull.counted_commits is None else pull.counted_commits,
            "changed_files": len(pull.files) if pull.counted_files is None else pull.counted_files,
            "comments": len(pull.comments),
            "review_comments": len(pull.line_comments),
            "merged": pull.merged_at is not None,
        }
        return make(
            schema,
            id=hash_id(url),
            node_id=f"PR_{repo.id}_{pull.number}",
            number=pull.number,
            url=url,
            html_url=f"{HTML}/{repo.full_name}/pull/{pull.number}",
            issue_url=f"{self.repo_url(repo)}/issues/{pull.number}",
            title=pull.title,
            body=pull.body,
            state=pull.state,
            draft=pull.draft,
            merged_at=pull.merged_at,
            closed_at=pull.merged_at,
            created_at=pull.created_at,
            user=self.user(pull.author),
            labels=[self._label(label) for label in pull.labels],
            author_association="CONTRIBUTOR",
            head=self._end(head_repo, pull.head_ref, pull.head_sha),
            base=self._end(repo, pull.base_ref, pull.base_sha),
            **(counters if schema == "pull-request" else {}),
        )

    def _label(self, name: str) -> dict[str, Any]:
        return {
            "id": hash_id(name),
            "node_id": f"LA_{hash_id(name)}",
            "url": f"{self.api}/labels",
            "name": name,
            "description": "",
            "color": "ededed",
            "default": False,
        }

    def _end(self, repo: Repository | None, ref: str, sha: str) -> dict[str, Any]:
        owner = User(repo.owner, hash_id(repo.owner), "Organization") if repo else None
        return {
            "label": f"{repo.owner if repo else 'unknown'}:{ref}",
            "ref": ref,
            "sha": sha,
            "repo": self.repository(repo, "repository") if repo else None,
            "user": self.user(owner),
        }

    def file(self, repo: Repository, pull: PullRequest, file: ChangedFile) -> dict[str, Any]:
        more: dict[str, Any] = {}
        if file.patch is not None:
            more["patch"] = file.patch
        if file.previous_path is not None:
            more["previous_filename"] = file.previous_path
        return make(
            "diff-entry",
            sha=blob_sha((file.content or file.path).encode()),
            filename=file.path,
            status=file.status,
            additions=1,
            deletions=1,
            changes=2,
            contents_url=f"{self.repo_url(repo)}/contents/x?ref={pull.head_sha}",
            **more,
        )

    def commit(self, repo: Repository, commit: Commit) -> dict[str, Any]:
        url = f"{self.repo_url(repo)}/commits/{commit.sha}"
        who = {"name": "Somebody", "email": "somebody@example.com", "date": commit.date}
        return make(
            "commit",
            sha=commit.sha,
            node_id=f"C_{commit.sha}",
            url=url,
            html_url=f"{HTML}/{repo.full_name}/commit/{commit.sha}",
            commit={
                "author": who,
                "committer": who,
                "message": commit.message,
                "tree": {"sha": commit.sha, "url": f"{self.repo_url(repo)}/git/trees/x"},
                "url": url,
                "comment_count": 0,
            },
            author=self.user(commit.author),
            committer=self.user(commit.author),
            parents=[
                {"sha": parent, "url": f"{self.repo_url(repo)}/commits/{parent}"}
                for parent in commit.parents
            ],
        )

    def comment(self, repo: Repository, pull: PullRequest, comment: Comment) -> dict[str, Any]:
        page = f"{HTML}/{repo.full_name}/pull/{pull.number}#issuecomment-{comment.id}"
        return make(
            "issue-comment",
            id=comment.id,
            node_id=f"IC_{comment.id}",
            url=f"{self.repo_url(repo)}/issues/comments/{comment.id}",
            html_url=page,
            issue_url=f"{self.repo_url(repo)}/issues/{pull.number}",
            user=self.user(comment.author),
            body=comment.body,
            created_at=comment.created_at,
            updated_at=updated_at(comment),
            author_association=comment.association,
            performed_via_github_app=None,
        )

    def review(self, repo: Repository, pull: PullRequest, review: Review) -> dict[str, Any]:
        page = f"{HTML}/{repo.full_name}/pull/{pull.number}#pullrequestreview-{review.id}"
        url = f"{self.repo_url(repo)}/pulls/{pull.number}"
        return make(
            "pull-request-review",
            id=review.id,
            node_id=f"PRR_{review.id}",
            user=self.user(review.author),
            body=review.body,
            state=review.state,
            html_url=page,
            pull_request_url=url,
            author_association=review.association,
            submitted_at=review.created_at,
            commit_id=review.commit_sha or None,
            _links={"html": {"href": page}, "pull_request": {"href": url}},
        )

    def line_comment(
        self, repo: Repository, pull: PullRequest, comment: LineComment
    ) -> dict[str, Any]:
        return make(
            "pull-request-review-comment",
            id=comment.id,
            node_id=f"PRRC_{comment.id}",
            url=f"{self.repo_url(repo)}/pulls/comments/{comment.id}",
            html_url=f"{HTML}/{repo.full_name}/pull/{pull.number}#discussion_r{comment.id}",
            pull_request_url=f"{self.repo_url(repo)}/pulls/{pull.number}",
            pull_request_review_id=comment.review_id,
            user=self.user(comment.author),
            body=comment.body,
            path=comment.path,
            line=comment.line,
            commit_id=comment.commit_sha,
            original_commit_id=comment.commit_sha,
            created_at=comment.created_at,
            updated_at=updated_at(comment),
            author_association=comment.association,
        )

    def push(self, push: Push, number: int) -> dict[str, Any]:
        return make(
            "activity",
            id=number,
            node_id=f"PSH_{number}",
            before=push.before,
            after=push.after,
            ref=push.ref,
            timestamp=push.at,
            activity_type=push.kind,
            actor=self.user(push.actor),
        )


def updated_at(comment: Comment) -> str:
    return comment.edits[-1].at if comment.edits else comment.created_at


def visibility(repo: Repository) -> str:
    return "private" if repo.private else "public"


def hash_id(text: str) -> int:
    """A made-up id that stays the same."""
    return int.from_bytes(hashlib.sha1(text.encode()).digest()[:4], "big") >> 1


def permissions(role: str | None) -> dict[str, bool]:
    """The permissions that GitHub lists for a role, each including those below it."""
    ladder = ["read", "triage", "write", "maintain", "admin"]
    level = ladder.index(role) if role in ladder else -1
    return {_RANKS.get(name, "admin"): index <= level for index, name in enumerate(ladder)}
