"""Negations in Chinese, Japanese and Thai, where no spaces tell one word from another."""

import re
from typing import Final

_CHINESE: Final = re.compile("[不没沒未无無非勿别別莫]")
_HARMLESS: Final = re.compile(
    "不过|不過|不但|不仅|不僅|不只|不断|不斷|不同|不错|不錯|不得不|不少|不久|不管|不妨|不愧|不禁|不论|不論|"
    "非常|特别|特別|分别|分別|区别|區別|个别|個別|差别|差別|别的|別的|别人|別人|未来|未來|无论|無論|无疑|無疑|"
    "没错|沒錯|無料|無事"
)
"""Words that hold the character of a negation and are none."""
_DOUBT: Final = re.compile(
    "[拒否难難疑若]|如果|假如|除非|是不是|有没有|有沒有|かもしれ|かどうか|もし|หาก|ถ้า|ปฏิเสธ"
)
_CLOSE: Final = 4
"""Characters between a Chinese negation and what it negates."""
_CLOSE_IN_THAI: Final = 12
_JAPANESE: Final = re.compile("ない|ません|なかった|なく|ずに|ぬ|まい|なし")
_OTHERWISE: Final = re.compile(
    "しかない|違いない|ちがいない|わけではない|なければ|なくては|ないと|なくもない"
)
"""What holds a Japanese negation and says something else."""
_INFLECTED: Final = re.compile("[\u3040-\u309f]*")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_THAI: Final = re.compile("ไม่|มิได้|อย่า|ยังไม่")
_IS_THAI: Final = re.compile("[\u0e00-\u0e7f]")
UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Characters of these scripts."""


def unspaced_negation(before: str, words: str, after: str) -> tuple[bool, tuple[str, ...]]:
    """Whether words are negated, and what else in their clause may turn their sense around.

    Args:
        before: What stands before them in their clause.
        words: The words.
        after: What stands after them.

    Example:
        >>> [unspaced_negation(each, "批准", "") for each in ("您的申请未获", "您的申请已")]
        [(True, ()), (False, ())]
        >>> [unspaced_negation("", "承認", each) for each in ("されません", "されました")]
        [(True, ()), (False, ())]
    """
    doubts = tuple(_DOUBT.findall(before) + _DOUBT.findall(after))
    if _IS_THAI.search(words):
        found = [each.end() for each in _THAI.finditer(before)]
        close = bool(found) and len(before) - found[-1] <= _CLOSE_IN_THAI
        rest = found[:-1] if close else found
        return close, (*doubts, *("ไม่" for _ in [*rest, *_THAI.finditer(after)]))
    if _KANA.search(before + words + after):
        return _japanese(before, after, doubts)
    masked, behind = (_HARMLESS.sub(lambda each: "一" * len(each[0]), t) for t in (before, after))
    found = [each.start() for each in _CHINESE.finditer(masked)]
    close = bool(found) and len(masked) - found[-1] <= _CLOSE
    others = [masked[at] for at in (found[:-1] if close else found)]
    return close, (*doubts, *others, *_CHINESE.findall(behind))


def _japanese(before: str, after: str, doubts: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    inflected = _INFLECTED.match(after)
    own = "" if inflected is None else inflected[0]
    rest = after[len(own) :]
    others = _JAPANESE.findall(before) + _JAPANESE.findall(rest)
    if _OTHERWISE.search(after):
        return False, (*doubts, *others, "ない")
    prefixed = bool(before) and before[-1] in "不未非無"
    return prefixed or bool(_JAPANESE.search(own)), (*doubts, *others)
