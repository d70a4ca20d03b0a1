"""The answers about CI and about files, on top of those about people and pull requests."""

from __future__ import annotations

import base64
from typing import Any

from support.world import (
    GITHUB_ACTIONS_APP,
    Artifact,
    CheckRun,
    CommitStatus,
    Job,
    Repository,
    Run,
    Team,
    User,
)
from wire.loopback.contract import make
from wire.loopback.shapes import HTML, Shapes, blob_sha, hash_id


class AllShapes(Shapes):
    """Every answer there is."""

    def run(self, repo: Repository, run: Run) -> dict[str, Any]:
        url = f"{self.repo_url(repo)}/actions/runs/{run.id}"
        head = self.world.repository(run.repository) if run.repository else repo
        workflow_id = hash_id(f"{repo.full_name} {run.workflow_path}")
        return make(
            "workflow-run",
            id=run.id,
            node_id=f"WFR_{run.id}",
            name=run.name,
            display_title=run.name,
            path=run.workflow_path,
            workflow_id=workflow_id,
            workflow_url=f"{self.repo_url(repo)}/actions/workflows/{workflow_id}",
            event=run.event,
            status=run.status,
            conclusion=run.conclusion,
            head_sha=run.head_sha,
            head_branch=run.head_branch,
            run_number=run.id % 1000,
            run_attempt=run.attempt,
            created_at=run.created_at,
            run_started_at=run.created_at,
            updated_at=run.created_at,
            actor=self.user(run.actor),
            triggering_actor=self.user(run.actor),
            pull_requests=[],
            repository=self.repository(repo, "minimal-repository"),
            head_repository=self.repository(head or repo, "minimal-repository"),
            url=url,
            html_url=f"{HTML}/{repo.full_name}/actions/runs/{run.id}",
            jobs_url=f"{url}/jobs",
            artifacts_url=f"{url}/artifacts",
            logs_url=f"{url}/logs",
        )

    def job(self, repo: Repository, run: Run, job: Job) -> dict[str, Any]:
        return make(
            "job",
            id=job.id,
            node_id=f"CR_{job.id}",
            run_id=run.id,
            run_url=f"{self.repo_url(repo)}/actions/runs/{run.id}",
            run_attempt=job.attempt,
            head_sha=run.head_sha,
            head_branch=run.head_branch,
            workflow_name=run.name,
            name=job.name,
            url=f"{self.repo_url(repo)}/actions/jobs/{job.id}",
            html_url=f"{HTML}/{repo.full_name}/actions/runs/{run.id}/job/{job.id}",
            check_run_url=f"{self.repo_url(repo)}/check-runs/{job.id}",
            status=job.status,
            conclusion=job.conclusion,
            created_at=run.created_at,
            started_at=job.started_at or run.created_at,
            completed_at=job.completed_at,
            runner_id=7 if job.runner else None,
            runner_name=job.runner,
            labels=["self-hosted"],
            steps=[
                {"number": number, "name": name, "status": "completed", "conclusion": conclusion}
                for number, (name, conclusion) in enumerate(job.steps, 1)
            ],
        )

    def artifact(self, repo: Repository, run: Run, artifact: Artifact) -> dict[str, Any]:
        url = f"{self.repo_url(repo)}/actions/artifacts/{artifact.id}"
        return make(
            "artifact",
            id=artifact.id,
            node_id=f"MDg6_{artifact.id}",
            name=artifact.name,
            size_in_bytes=len(artifact.zipped()),
            url=url,
            archive_download_url=f"{url}/zip",
            expired=artifact.expired,
            created_at=run.created_at,
            updated_at=run.created_at,
            expires_at="2026-09-22T08:00:00Z",
            workflow_run={
                "id": run.id,
                "repository_id": repo.id,
                "head_repository_id": repo.id,
                "head_branch": run.head_branch,
                "head_sha": run.head_sha,
            },
        )

    def check_run(self, repo: Repository, check: CheckRun) -> dict[str, Any]:
        return make(
            "check-run",
            id=check.id,
            node_id=f"CR_{check.id}",
            head_sha=check.head_sha,
            name=check.name,
            url=f"{self.repo_url(repo)}/check-runs/{check.id}",
            html_url=f"{HTML}/{repo.full_name}/runs/{check.id}",
            details_url=f"{HTML}/{repo.full_name}/runs/{check.id}",
            status=check.status,
            conclusion=check.conclusion,
            started_at="2026-06-24T08:00:00Z",
            completed_at="2026-06-24T09:00:00Z" if check.conclusion else None,
            app=self._app(check.app_id),
            check_suite={"id": check.app_id},
        )

    def _app(self, app_id: int) -> dict[str, Any]:
        slug = "github-actions" if app_id == GITHUB_ACTIONS_APP else f"app-{app_id}"
        return {
            "id": app_id,
            "slug": slug,
            "node_id": f"A_{app_id}",
            "owner": self.user(User("github", 9919, "Organization")),
            "name": slug,
            "description": None,
            "external_url": HTML,
            "html_url": f"{HTML}/apps/{slug}",
            "created_at": "2018-07-30T09:30:17Z",
            "updated_at": "2018-07-30T09:30:17Z",
            "permissions": {},
            "events": [],
        }

    def status(self, repo: Repository, status: CommitStatus) -> dict[str, Any]:
        return make(
            "status",
            id=status.id,
            node_id=f"SC_{status.id}",
            url=f"{self.repo_url(repo)}/statuses/{status.sha}",
            state=status.state,
            context=status.context,
            description=status.description,
            target_url=status.target_url,
            created_at=status.created_at,
            updated_at=status.created_at,
            creator=self.user(status.creator),
        )

    def simple_status(self, repo: Repository, status: CommitStatus) -> dict[str, Any]:
        full = self.status(repo, status)
        del full["creator"]
        return make("simple-commit-status", **full)

    def team(self, name: str, team: Team) -> dict[str, Any]:
        org, slug = name.split("/")
        return make(
            "team-full",
            id=hash_id(name),
            node_id=f"T_{hash_id(name)}",
            name=team.name,
            slug=slug,
            url=f"{self.api}/orgs/{org}/teams/{slug}",
            members_url=f"{self.api}/orgs/{org}/teams/{slug}/members{{/member}}",
            members_count=len(self.world.members(name)),
        )

    def content(self, repo: Repository, path: str, ref: str, data: bytes) -> dict[str, Any]:
        url = f"{self.repo_url(repo)}/contents/{path}?ref={ref}"
        small = len(data) <= 2**20
        git_url = f"{self.repo_url(repo)}/git/blobs/{blob_sha(data)}"
        return make(
            "content-file",
            type="file",
            encoding="base64" if small else "none",
            size=len(data),
            name=path.rsplit("/", 1)[-1],
            path=path,
            content=base64.encodebytes(data).decode() if small else "",
            sha=blob_sha(data),
            url=url,
            git_url=git_url,
            html_url=f"{HTML}/{repo.full_name}/blob/{ref}/{path}",
            download_url=None,
            _links={"git": git_url, "self": url, "html": None},
        )
