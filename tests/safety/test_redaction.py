"""Secrets are found by name, by shape and by registration; ordinary text is left alone."""

import base64
import json
import sys
from urllib.parse import quote, quote_plus

import orjson
import pytest

from explainkit.errors import WeakSecretError
from explainkit.safety.encoding import decode, encode
from explainkit.safety.leaf_paths import leaves
from explainkit.safety.redaction import Redactor, capture, is_secret_name

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc_DEF-123"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3\nVS5JJcds\n-----END RSA PRIVATE KEY-----"
)

SHAPED = [
    ("sk-proj-abcDEF1234567890abcd", "api-key"),
    ("sk-ant-api03-abcdefghij0123456789", "api-key"),
    ("sk" + "_live_4eC39HqLyjWDarjtT1zdp7dc", "api-key"),
    ("AIza" + "SyA1234567890abcdefGHIJKLMNOPQRSTUV", "api-key"),
    ("hf_" + "abcdefghijABCDEFGHIJ0123456789abcd", "api-key"),
    ("ghp_" + "a1B2c3D4" * 5, "github-token"),
    ("github_pat_" + "11ABCDEFG0abcdefghijkl_mnop", "github-token"),
    ("glpat-" + "abcDEF1234567890wxyz", "gitlab-token"),
    ("AKIA" + "IOSFODNN7EXAMPLE", "aws-key"),
    ("xox" + "b-123456789012-abcdefABCDEF", "slack-token"),
    (JWT, "jwt"),
    (PEM, "private-key"),
]


@pytest.mark.parametrize(("secret", "kind"), SHAPED)
@pytest.mark.parametrize(
    "around", ["{}", "a {} b", "\n{}\n", '"{}"', "x={},", 'json: \\n{}\\n"', "({})", "…{}…"]
)
def test_provider_keys_are_found_by_shape(secret, kind, around):
    found = Redactor().text(around.format(secret))
    assert found == around.format(f"[redacted:{kind}#1]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password=hunter2x", "password=[redacted:password#1]"),
        ("PASSWORD: 'letmein'", "PASSWORD: '[redacted:password#1]'"),
        ("pin password: 123456", "pin password: [redacted:password#1]"),
        ('{"client_secret": "abcdef"}', '{"client_secret": "[redacted:secret#1]"}'),
        ('{\\"api_key\\": \\"abcd1234\\"}', '{\\"api_key\\": \\"[redacted:api-key#1]\\"}'),
        ("https://x/?api_key=abc123def&q=1", "https://x/?api_key=[redacted:api-key#1]&q=1"),
        ("API key: AbCd1234", "API key: [redacted:api-key#1]"),
        ("Authorization: Bearer abc.def-12345", "Authorization: Bearer [redacted:bearer#1]"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted:authorization#1]"),
        ("curl -H 'X: bearer abcdef123456789'", "curl -H 'X: bearer [redacted:bearer#1]'"),
        ("Cookie: sid=abc123; theme=dark\nHost: x", "Cookie: [redacted:cookie#1]\nHost: x"),
        ("postgres://bob:s3cr@db/x", "postgres://bob:[redacted:url-password#1]@db/x"),
        ("redis://:pw@h", "redis://:[redacted:url-password#1]@h"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI7", "AWS_SECRET_ACCESS_KEY=[redacted:api-key#1]"),
        ("?key=AbC1dEf2GhI3jKl4MnO5pQr6", "?key=[redacted:api-key#1]"),
        ("{'token': 'a1b2c3d4'}", "{'token': '[redacted:token#1]'}"),
        (PEM[:52] + "MIIEpAIBAAKCAQEA0Z3VS5", "[redacted:private-key#1]"),
    ],
)
def test_values_after_the_name_of_a_secret_are_found(text, expected):
    assert Redactor().text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The passenger's train was 40 minutes late.",
        "mia_li_3668 call_oIHazX6yQrB8hUwl4cRilFKj",
        "user_id: mia_li_3668, reservation_id: 4WQ150",
        "9eb3945184aa8a8e4af5c3956ab187a39e8229125def19bc612d59512d7debc1",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256=9eb3945184aa8a8e4af5c3956ab187a39e8229125def19bc612d59512d7debc1",
        "max_tokens=4096 token_count: 1234abcd total_tokens: 99x88y",
        "next_page_token=abc123def456",
        "password: required. The token: a unit of text.",
        "password=None, password=password, secret=${SECRET}, token=<token>, api_key=YOUR_KEY_1",
        "see task-1234567890abcdef12345 and sk-learn-contrib-estimators-and-more",
        "risk-1234567890123456789, desk-abcdef1234567890abcdef",
        "the bearer of this letter; Bearer authentication-mechanisms explained",
        "https://example.org:8080/a@b and mailto:ann@example.org, 12:30@noon",
        "key=value&sort_key=abcdefghijklmnopqrstuvwxyz&cache_key=0123456789abcdef0123456789abcdef",
        "def login(password=get_password()): ...",
        "toolu_01A09q90qw90lq917835lq9 chatcmpl-9x8y7z6w5v4u3t2s1r0q run-2024-05-01T00:00:00",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "[redacted:api-key#1] and password=[redacted:password#7]",
    ],
)
def test_ordinary_text_is_left_alone_as_the_same_object(text):
    assert Redactor().text(text) is text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True),
        ("userPassword", True),
        ("OPENAI_API_KEY", True),
        ("apikey", True),
        ("x-api-key", True),
        ("Authorization", True),
        ("Set-Cookie", True),
        ("private_key", True),
        ("clientSecret", True),
        ("credentials", True),
        ("session_id", True),
        ("access_token", True),
        ("token", True),
        ("JWT", True),
        ("max_tokens", False),
        ("tokens", False),
        ("token_count", False),
        ("tokenizer", False),
        ("pad_token", False),
        ("next_page_token", False),
        ("secretary", False),
        ("password_length", False),
        ("api_key_name", False),
        ("author", False),
        ("key", False),
        ("session", False),
        ("user_id", False),
        ("", False),
    ],
)
def test_names_of_secrets(name, secret):
    assert is_secret_name(name) is secret


SECRET = "Tr0ub4dor&3/x+~é"


def _copies() -> list[str]:
    raw = SECRET.encode()
    return [
        SECRET,
        f"<<{SECRET}>>",
        json.dumps({"a": SECRET}),
        json.dumps({"a": SECRET}, ensure_ascii=False),
        json.dumps(json.dumps({"a": SECRET})),
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        "Tr0ub4dor%263%2fx%2b~%c3%a9",
        raw.hex(),
        raw.hex().upper(),
        *(
            encode_(before + raw + after).decode()
            for encode_ in (base64.b64encode, base64.urlsafe_b64encode)
            for before in (b"", b"u:", b"user:", b"abc")
            for after in (b"", b"!", b"!!")
        ),
    ]


@pytest.mark.parametrize("copy", _copies())
def test_copies_of_a_registered_secret_get_its_mark(copy):
    redactor = Redactor(secrets=[SECRET])
    found = redactor.text(f"see {copy} there")
    assert "[redacted:secret#1]" in found
    for length in range(6, len(SECRET)):
        assert SECRET[:length] not in found


def test_a_secret_can_be_registered_later():
    redactor = Redactor()
    assert redactor.text("swordfish") == "swordfish"
    redactor.register("swordfish")
    assert redactor.text("my swordfish!") == "my [redacted:secret#1]!"
    assert capture({"a": ["swordfish"]}, redactor).fidelity == "redacted"


@pytest.mark.parametrize("secret", ["", "abc", "      ", "abc\ud800def"])
def test_secrets_that_would_hide_ordinary_text_are_refused(secret):
    with pytest.raises(WeakSecretError):
        Redactor(secrets=[secret])


def test_the_same_secret_has_one_mark_however_it_was_found():
    redactor = Redactor()
    first = redactor.text("password=hunter2x")
    assert redactor.named("password", "hunter2x") == first.split("=")[1]
    assert redactor.text("password=other99") == "password=[redacted:password#2]"
    assert redactor.report() == {"[redacted:password#1]": 2, "[redacted:password#2]": 1}
    assert redactor.count == 3


def test_a_disabled_redactor_changes_nothing():
    redactor = Redactor(enabled=False, secrets=["swordfish"])
    assert redactor.text("password=hunter2x swordfish") == "password=hunter2x swordfish"
    assert capture({"password": "x"}, redactor, name="token").fidelity == "exact"


def test_values_under_the_name_of_a_secret_are_replaced_whole():
    tree = {
        "user": "ann",
        "password": "x",
        "auth": {"api_key": ["a", {"b": "c"}], "enabled": True, "secret": None, "token": 123456},
        "max_tokens": 4096,
        "headers": [{"name": "Authorization", "value": "abc"}, {"name": "Host", "value": "h"}],
    }
    clean = Redactor().value(tree)
    assert clean == {
        "user": "ann",
        "password": "[redacted:password#1]",
        "auth": {
            "api_key": ["[redacted:api-key#1]", {"b": "[redacted:api-key#2]"}],
            "enabled": True,
            "secret": None,
            "token": "[redacted:token#1]",
        },
        "max_tokens": 4096,
        "headers": [
            {"name": "Authorization", "value": "[redacted:authorization#1]"},
            {"name": "Host", "value": "h"},
        ],
    }
    assert tree["password"] == "x"
    assert Redactor().value({"a": [1, "b"]}) == {"a": [1, "b"]}


def test_a_clean_tree_comes_back_as_the_same_object():
    tree = {"a": [1, "b"], "max_tokens": 3}
    assert Redactor().value(tree) is tree


class Request:
    def __repr__(self):
        return "<Request token='a1b2c3d4'>"


@pytest.mark.parametrize(
    "value",
    [
        {"$x": {"password": "hunter2x"}},
        {1: {"password": "hunter2x"}},
        ({"password": ("hunter2x",)},),
        [b"password=hunter2x"],
        {"password": b"hunter2x"},
        "\ud800 password=hunter2x",
        ["\ud800 password=hunter2x"],
        {"password=hunter2x": 1},
        {"a\ud800": "password=hunter2x"},
        ValueError("password=hunter2x"),
        {"password": {"hunter2x"}},
    ],
)
def test_no_way_of_holding_a_secret_hides_it(value):
    captured = capture(value, Redactor())
    assert captured.fidelity == "redacted"
    shown = (
        f"{captured.data!r} {decode(captured.data)!r} {list(leaves(orjson.loads(captured.data)))}"
    )
    assert "hunter2x" not in shown
    assert base64.b64encode(b"hunter2x").decode()[:10] not in shown


def test_reprs_and_parameters_pass_through_redaction():
    assert b"a1b2c3d4" not in capture(Request(), Redactor()).data
    assert capture("abc", Redactor(), name="password").data == b'"[redacted:password#1]"'
    assert capture((1, "abc"), Redactor(), name="api_key").fidelity == "redacted"
    assert capture("", Redactor(), name="password").data == b'""'
    assert capture("abc", Redactor(), name="question") == encode("abc")


def test_a_traceback_of_an_exception_holds_no_secret():
    def connect(password):
        raise ConnectionError(f"cannot log in with password={password!r}")

    with pytest.raises(ConnectionError) as caught:
        connect("hunter2x")
    assert b"hunter2x" not in capture(caught.value, Redactor()).data


@pytest.mark.parametrize(
    "piece",
    [
        "token",
        "token=",
        "token:",
        "secret_",
        "sk-",
        "sk-a",
        "eyJ",
        "-eyJ",
        "://",
        "://a:",
        "Bearer ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN ",
        "[redacted:",
        "password=aaaaaaaa",
        "cookie: ",
        'token="',
        "\\",
        "AKIA",
    ],
)
def test_hostile_repetition_takes_work_in_proportion_to_the_text(piece):
    def calls(size):
        count = 0

        def counter(frame, event, argument):
            nonlocal count
            count += 1

        redactor = Redactor()
        text = piece * (size // len(piece)) + " password=hunter2x"
        sys.setprofile(counter)
        try:
            found = redactor.text(text)
        finally:
            sys.setprofile(None)
        assert "hunter2x" not in found
        return count

    assert calls(20_000) < 5 * calls(5_000) + 1_000
