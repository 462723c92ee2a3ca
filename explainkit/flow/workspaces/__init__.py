"""Folders with the repositories that a run works on: made, looked after, and taken away."""

from explainkit.flow.workspaces.places import Provisioned
from explainkit.flow.workspaces.probing import probe
from explainkit.flow.workspaces.provisioning import provision
from explainkit.flow.workspaces.removing import tear_down
from explainkit.flow.workspaces.running import WorkspaceRun
from explainkit.flow.workspaces.specs import (
    RepoSpec,
    WorkspaceSpec,
    read_repos,
    read_spec,
    spec_of,
)
from explainkit.flow.workspaces.wrapping import Workspaced, workspace

__all__ = [
    "Provisioned",
    "RepoSpec",
    "WorkspaceRun",
    "WorkspaceSpec",
    "Workspaced",
    "probe",
    "provision",
    "read_repos",
    "read_spec",
    "spec_of",
    "tear_down",
    "workspace",
]
