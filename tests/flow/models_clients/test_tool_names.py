"""Names of tools go out as providers allow them and come back as they were."""

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import MissingExtraError
from explainkit.flow.models.extras import required
from explainkit.flow.models.tool_names import ToolNames

NAMES = st.lists(st.text(max_size=80) | st.text("a._-", max_size=3), unique=True, max_size=12)


@given(NAMES)
def test_every_name_goes_out_allowed_and_different_and_comes_back(own):
    names = ToolNames(own)
    sent = [names.sent(name) for name in own]
    assert len(set(sent)) == len(own)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in sent)
    assert [names.meant(name) for name in sent] == own


def test_a_name_that_is_allowed_is_never_taken_by_another():
    names = ToolNames(["a.b", "a_b"])
    assert names.sent("a_b") == "a_b"
    assert re.fullmatch("a_b_[0-9a-f]{8}", names.sent("a.b"))


def test_a_package_that_is_missing_is_named_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'explainkit-jupyter\[openai\]'"):
        required("openai")


def test_importing_the_models_loads_no_client():
    code = (
        "import sys; from explainkit.flow.models import OpenAIModel, AnthropicModel; "
        "print(sorted({'openai', 'anthropic', 'httpx', 'httpx2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
