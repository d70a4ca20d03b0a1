"""Cuts out of GitHub's published descriptions what the tests need; run by hand on an update.

    npm pack @octokit/openapi @octokit/graphql-schema    # unpack each into its own folder
    python tests/facts/github/extract.py OPENAPI_FOLDER GRAPHQL_FOLDER

Writes `openapi.json` (the operations of `OPERATIONS` and every schema they refer to, as plain JSON
Schema: OpenAPI's `nullable` becomes a union with null) and `schema.graphql` (the types and fields
of `TYPES`). Texts and examples are left out.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from graphql import language as gql

HERE = Path(__file__).parent

OPERATIONS = """
get /rate_limit
get /user
get /users/{username}
get /orgs/{org}/repos
get /orgs/{org}/teams/{team_slug}
get /orgs/{org}/teams/{team_slug}/members
get /orgs/{org}/teams/{team_slug}/memberships/{username}
get /repos/{owner}/{repo}
get /repos/{owner}/{repo}/activity
get /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}
get /repos/{owner}/{repo}/actions/runs
get /repos/{owner}/{repo}/actions/runs/{run_id}
get /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts
get /repos/{owner}/{repo}/actions/runs/{run_id}/jobs
get /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs
get /repos/{owner}/{repo}/branches/{branch}
get /repos/{owner}/{repo}/codeowners/errors
get /repos/{owner}/{repo}/collaborators/{username}/permission
get /repos/{owner}/{repo}/commits/{ref}/check-runs
get /repos/{owner}/{repo}/commits/{ref}/status
get /repos/{owner}/{repo}/commits/{ref}/statuses
get /repos/{owner}/{repo}/compare/{basehead}
get /repos/{owner}/{repo}/contents/{path}
get /repos/{owner}/{repo}/git/blobs/{file_sha}
get /repos/{owner}/{repo}/issues
post /repos/{owner}/{repo}/issues
patch /repos/{owner}/{repo}/issues/{issue_number}
get /repos/{owner}/{repo}/issues/comments/{comment_id}
patch /repos/{owner}/{repo}/issues/comments/{comment_id}
delete /repos/{owner}/{repo}/issues/comments/{comment_id}
get /repos/{owner}/{repo}/issues/{issue_number}/comments
post /repos/{owner}/{repo}/issues/{issue_number}/comments
get /repos/{owner}/{repo}/pulls
get /repos/{owner}/{repo}/pulls/comments
get /repos/{owner}/{repo}/pulls/{pull_number}
get /repos/{owner}/{repo}/pulls/{pull_number}/comments
get /repos/{owner}/{repo}/pulls/{pull_number}/commits
get /repos/{owner}/{repo}/pulls/{pull_number}/files
get /repos/{owner}/{repo}/pulls/{pull_number}/reviews
get /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}
get /repos/{owner}/{repo}/pulls/comments/{comment_id}
get /repos/{owner}/{repo}/rules/branches/{branch}
post /repos/{owner}/{repo}/statuses/{sha}
"""

_PAGE = "edges nodes pageInfo totalCount"
_ACTOR = "avatarUrl login resourcePath url"
_COMMENT = (
    "author authorAssociation body createdAt databaseId editor fullDatabaseId id "
    "includesCreatedEdit isMinimized lastEditedAt minimizedReason publishedAt pullRequest "
    "repository updatedAt url userContentEdits viewerDidAuthor"
)
TYPES = {
    "Query": "id node nodes rateLimit repository user viewer",
    "Mutation": "minimizeComment unminimizeComment",
    "MinimizeCommentPayload": "clientMutationId minimizedComment",
    "UnminimizeCommentPayload": "clientMutationId unminimizedComment",
    "RateLimit": "cost limit nodeCount remaining resetAt used",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
    "Actor": _ACTOR,
    "User": f"{_ACTOR} databaseId id name",
    "Bot": f"{_ACTOR} databaseId id",
    "Mannequin": f"{_ACTOR} databaseId id",
    "Organization": f"{_ACTOR} databaseId id name",
    "Node": "id",
    "Comment": "author authorAssociation body createdAt editor id includesCreatedEdit lastEditedAt "
    "publishedAt updatedAt userContentEdits viewerDidAuthor",
    "Minimizable": "isMinimized minimizedReason",
    "RepositoryOwner": "id login url",
    "Repository": "databaseId defaultBranchRef id isArchived isEmpty isFork isPrivate mergeQueue "
    "name nameWithOwner object owner pullRequest pullRequests ref url",
    "Ref": "id name prefix target",
    "GitObject": "abbreviatedOid id oid repository",
    "Commit": "abbreviatedOid author checkSuites committedDate committer id message oid parents "
    "repository statusCheckRollup status",
    "Status": "contexts id state",
    "StatusContext": "context createdAt creator description id state targetUrl",
    "CheckSuite": "app conclusion databaseId id status updatedAt workflowRun",
    "CheckSuiteConnection": _PAGE,
    "CheckSuiteEdge": "cursor node",
    "WorkflowRun": "createdAt databaseId event id runNumber updatedAt",
    "PullRequestConnection": _PAGE,
    "PullRequestEdge": "cursor node",
    "CommitConnection": _PAGE,
    "CommitEdge": "cursor node",
    "GitActor": "date email name user",
    "Blob": "abbreviatedOid byteSize id isBinary isTruncated oid repository text",
    "Tree": "abbreviatedOid entries id oid repository",
    "TreeEntry": "mode name oid path type",
    "Tag": "abbreviatedOid id oid name repository target",
    "PullRequest": "author authorAssociation baseRef baseRefName baseRefOid body changedFiles "
    "closed closedAt comments commits createdAt databaseId editor files fullDatabaseId headRef "
    "headRefName headRefOid headRepository headRepositoryOwner id includesCreatedEdit "
    "isCrossRepository isDraft labels lastEditedAt merged mergedAt number publishedAt repository "
    "reviewThreads reviews state title totalCommentsCount updatedAt url userContentEdits "
    "viewerDidAuthor",
    "MergeQueue": "entries id url",
    "MergeQueueEntry": "baseCommit enqueuedAt headCommit id position pullRequest solo state",
    "MergeQueueEntryConnection": _PAGE,
    "MergeQueueEntryEdge": "cursor node",
    "Label": "id name",
    "LabelConnection": _PAGE,
    "LabelEdge": "cursor node",
    "PullRequestCommit": "commit id pullRequest url",
    "PullRequestCommitConnection": _PAGE,
    "PullRequestCommitEdge": "cursor node",
    "PullRequestChangedFile": "additions changeType deletions path",
    "PullRequestChangedFileConnection": _PAGE,
    "PullRequestChangedFileEdge": "cursor node",
    "IssueComment": _COMMENT,
    "IssueCommentConnection": _PAGE,
    "IssueCommentEdge": "cursor node",
    "PullRequestReview": f"{_COMMENT} comments commit state submittedAt",
    "PullRequestReviewConnection": _PAGE,
    "PullRequestReviewEdge": "cursor node",
    "PullRequestReviewComment": f"{_COMMENT} commit line originalCommit path pullRequestReview "
    "replyTo",
    "PullRequestReviewCommentConnection": _PAGE,
    "PullRequestReviewCommentEdge": "cursor node",
    "PullRequestReviewThread": "comments id isResolved",
    "PullRequestReviewThreadConnection": _PAGE,
    "PullRequestReviewThreadEdge": "cursor node",
    "UserContentEdit": "createdAt deletedAt deletedBy diff editedAt editor id updatedAt",
    "UserContentEditConnection": _PAGE,
    "UserContentEditEdge": "cursor node",
}

# Where GitHub answers null although its description says otherwise: deleted accounts and forks.
NULL_TOO = {
    "pull-request": ("user", "head.repo", "head.user"),
    "pull-request-simple": ("head.repo", "head.user"),
}

_JSON = ("application/json", "application/vnd.github.object")

_KEPT_IN_SCHEMA = {
    *("type", "format", "enum", "items", "required", "additionalProperties", "pattern"),
    *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "minProperties"),
    "uniqueItems",
}


class OpenApi:
    """An extract of an OpenAPI document, with the schemas it turned out to need."""

    def __init__(self, source: dict[str, Any]) -> None:
        self._source = source
        self._schemas: dict[str, Any] = {}

    def extract(self) -> dict[str, Any]:
        paths: dict[str, Any] = {}
        for line in OPERATIONS.split("\n"):
            if line:
                method, path = line.split()
                paths.setdefault(path, {})[method] = self._operation(path, method)
        for name, fields in NULL_TOO.items():
            for field in fields:
                *parents, last = field.split(".")
                node = self._schemas[name]
                for parent in parents:
                    node = node["properties"][parent]
                node["properties"][last] = {"anyOf": [{"type": "null"}, node["properties"][last]]}
        schemas = dict(sorted(self._schemas.items()))
        return {"version": self._source["info"]["version"], "paths": paths, "$defs": schemas}

    def _operation(self, path: str, method: str) -> dict[str, Any]:
        found = self._source["paths"][path][method]
        given = [self._follow(p) for p in found.get("parameters", ())]
        body = found.get("requestBody", {}).get("content", {}).get("application/json")
        return {
            "parameters": [
                {"name": p["name"], "in": p["in"], "schema": self._schema(p["schema"])}
                for p in given
            ],
            "body": self._schema(body["schema"]) if body else None,
            "responses": {
                status: self._answer(self._follow(answer))
                for status, answer in found["responses"].items()
            },
        }

    def _answer(self, answer: dict[str, Any]) -> Any:
        content = answer.get("content", {})
        shapes = [self._schema(content[kind]["schema"]) for kind in _JSON if kind in content]
        return {"anyOf": shapes} if len(shapes) > 1 else next(iter(shapes), None)

    def _follow(self, node: dict[str, Any]) -> Any:
        if "$ref" not in node:
            return node
        target: Any = self._source
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return target

    def _schema(self, node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            if name not in self._schemas:
                self._schemas[name] = None  # stops the recursion of a schema that holds itself
                self._schemas[name] = self._schema(self._follow(node))
            return {"$ref": f"#/$defs/{name}"}
        kept = {key: value for key, value in node.items() if key in _KEPT_IN_SCHEMA}
        for key in ("items", "additionalProperties"):
            if key in kept:
                kept[key] = self._schema(kept[key])
        if "properties" in node:
            kept["properties"] = {n: self._schema(s) for n, s in node["properties"].items()}
        for key in ("oneOf", "anyOf", "allOf"):
            if key in node:
                # GitHub's alternatives overlap, so that an answer may well fit more than one.
                union = "anyOf" if key == "oneOf" else key
                kept[union] = [self._schema(part) for part in node[key]]
        return {"anyOf": [{"type": "null"}, kept]} if node.get("nullable") else kept


def graphql(source: str) -> str:
    """The SDL of `TYPES`, and the scalars, enums and inputs that their fields use."""
    document = gql.parse(re.sub(r'"""[\s\S]*?"""', "", source), no_location=True)
    defined = {d.name.value: d for d in document.definitions if hasattr(d, "name")}
    plain = (
        gql.ScalarTypeDefinitionNode,
        gql.EnumTypeDefinitionNode,
        gql.InputObjectTypeDefinitionNode,
    )
    kept: dict[str, Any] = {}
    pending = list(TYPES)

    def usable(name: str) -> bool:
        if name in TYPES or name in ("Int", "String", "Boolean", "ID", "Float"):
            return True
        if not isinstance(defined[name], plain):
            return False
        pending.append(name)
        return True

    while pending:
        name = pending.pop()
        if name in kept:
            continue
        node = defined[name]
        if name in TYPES:
            wanted = set(TYPES[name].split())
            fields = {f.name.value: f for f in node.fields}
            chosen = [
                gql.FieldDefinitionNode(
                    name=f.name,
                    type=f.type,
                    arguments=tuple(a for a in f.arguments or () if usable(_named(a.type))),
                    directives=(),
                )
                for n, f in fields.items()
                if n in wanted and usable(_named(f.type))
            ]
            interfaces = tuple(i for i in node.interfaces or () if i.name.value in TYPES)
            kept[name] = type(node)(
                name=node.name, interfaces=interfaces, directives=(), fields=tuple(chosen)
            )
        else:
            if isinstance(node, gql.InputObjectTypeDefinitionNode):
                for field in node.fields or ():
                    usable(_named(field.type))
            kept[name] = node
    text = "\n\n".join(gql.print_ast(kept[name]) for name in sorted(kept))
    return re.sub(r" @\w+\([^)]*\)", "", text) + "\n"


def _named(node: Any) -> str:
    while not isinstance(node, gql.NamedTypeNode):
        node = node.type
    name: str = node.name.value
    return name


def main(openapi_folder: str, graphql_folder: str) -> None:
    described = json.loads(
        (Path(openapi_folder) / "package/generated/api.github.com.json").read_text("utf-8")
    )
    extract = json.dumps(OpenApi(described).extract(), separators=(",", ":"))
    (HERE / "openapi.json").write_text(extract + "\n", "utf-8")
    sdl = (Path(graphql_folder) / "package/schema.graphql").read_text("utf-8")
    (HERE / "schema.graphql").write_text(graphql(sdl), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
