"""Words that negate, doubt or bound what stands beside them, in the languages that are known."""

from typing import Final

from explainkit.text.spoken_tokens import folded


def _words(*lines: str) -> frozenset[str]:
    return frozenset(folded(word) for line in lines for word in line.split())


NEGATE: Final = _words(
    "no not never none nobody nothing neither nor without cannot hardly nowhere",
    "nicht nichts nie niemals niemand nirgends kein keine keinen keinem keiner keines keinerlei",
    "keineswegs weder ohne",
    "pas jamais aucun aucune aucunement nullement rien guère sans",
    "nunca jamás ningún ninguno ninguna ningunos ningunas tampoco sin nada nadie",
    "não nem nenhum nenhuma jamais sem",
    "non mai nessun nessuno nessuna neanche nemmeno neppure senza né",
    "niet geen nooit niemand nergens zonder noch",
    "inte icke aldrig ingen inget inga ingenting utan ikke aldri intet uden uten ekki",
    "ei eivät emme ette älä ilman mitte",
    "nie nigdy żaden żadna żadne bez ani není nejsou nebyl nebyla nebylo nikdy nije nisu niti nav",
    "nem nincs soha nélkül nici niciodată fără değil yok tidak bukan belum tanpa jangan",
    "không chưa chẳng đừng",
    "не нет ни никогда никак никакой никакая никакого без нельзя нету немає ніколи няма није нису",
    "δεν δε μην μη όχι χωρίς ούτε ποτέ κανένα καμία κανένας τίποτα",
    "לא אין אינו אינה אינם אינן איני אינך איננו בלי ללא מעולם לעולם שלא ולא כשלא אל ואין שאין",
    "שאינו שאינה",
    "لا لم لن ليس ليست ليسوا لست لسنا غير دون بدون بلا ولا ولم ولن وليس فلا ألا",
    "नहीं नही मत बिना न",
    "안 못",
)
"""Words that turn what stands close to them around."""

MAY_NEGATE: Final = _words("ne ni ej nu ez ما")
"""Words that negate in one language and not in another, or only together with others."""

FRENCH: Final = _words("plus point personne nulle")
"""Words that negate together with `ne`."""

ELIDED: Final = ("n'", "n\u2019")
"""Beginnings of French words that negate together with others."""

AFTER: Final = _words(
    "not never no non nicht nie niemals pas jamais nunca não niet nooit inte ikke aldrig ei nem "
    "nu ne değil không chưa не δεν δε לא אינו אינה لا لم لن ليس ليست नहीं नही"
)
"""Negations that turn around what stands before them as well."""

KOREAN: Final = ("않", "못하", "못했", "없", "아니", "아닙", "아닌")
"""Beginnings of Korean words that negate what stands before them."""

EXCEED: Final = _words(
    "only less more later sooner fewer earlier just merely doubt simply nur weniger später "
    "früher zweifel seulement moins tard solo solamente sólo menos tarde soltanto meno "
    "apenas alleen minder bara endast kun tylko csak doar только более менее позднее лишь רק "
    "יותר فقط أكثر أقل"
)
"""After a negation they make another sense of it: not only, no later than, no doubt."""

DOUBT: Final = _words(
    "unable unclear unknown uncertain unsure unlikely impossible whether if unless doubt doubtful "
    "doubts fail fails failed failing failure refuse refuses refused refusal reject rejects "
    "rejected deny denies denied decline declines declined sorry false untrue wrong incorrect "
    "instead except until pending otherwise",
    "ob wenn falls sofern unklar unmöglich unbekannt abgelehnt verweigert zweifel leider",
    "refuse refusé refusée rejeté rejetée impossible inconnu doute désolé",
    "rechazado rechazada denegado denegada imposible duda lamento dudo",
    "rifiutato rifiutata negato negata impossibile dubbio spiacente",
    "recusado recusada negado negada impossível dúvida afgewezen geweigerd onmogelijk",
    "отклонено отклонена отклонен отказано невозможно если ли неизвестно",
    "נדחה נדחתה סורב אם",
    "رفض مرفوض مرفوضة تعذر إذا لو مستحيل",
)
"""Words of refusals, failures and conditions: what stands beside them may not be said at all."""

BE: Final = _words(
    "is are was were be been being do does did will would shall can could may has have had ist "
    "sind war waren wird werden wurde est sont a été sera es son fue será è sono stato sarà "
    "era foi é wordt werd är var er blev on oli jest был была было будет είναι ήταν היה היא הוא "
    "है हैं गया गई"
)
"""Verbs between words and a negation that comes after them."""

LOWER: Final = _words(
    "least over above exceeding beyond minimum min from mindestens über ab moins plus desde más "
    "almeno oltre dal minstens boven vanaf от более"
)
UPPER: Final = _words(
    "most up under below within maximum max less fewer höchstens unter bis maximal weniger jusqu'à "
    "hasta menos fino meno tot onder до менее"
)
"""Words before a number that make it a bound."""

MORE: Final = _words("more longer later over above mehr länger plus más più meer более")
LESS: Final = _words("less fewer shorter earlier weniger moins menos meno minder менее")
"""Words after a number that make it a bound."""

TO: Final = _words(
    "to till until through and or bis und à a et al hasta y e fino tot до и עד 到 至 から まで"
)
"""Words and marks between the two ends of a range."""

TO_MARKS: Final = frozenset("-\u2010\u2011\u2012\u2013\u2014~\u301c\uff5e\u2026/")

CLAUSE_END: Final = frozenset(
    ".!?;:,\n()\u3002\uff01\uff1f\uff1b\uff0c\u3001\uff1a\u060c\u061b\u061f\u0964\u0965"
)
TURNS: Final = _words(
    "but however although though aber sondern jedoch doch mais cependant pero sino aunque ma però "
    "mas porém maar men но однако але אבל אך לכן لكن ولكن 但 लेकिन परंतु"
)
"""Words with which another clause begins."""

JOINS: Final = _words("and or und oder et ou y o e en och og и или 和 及 और")
"""Words after which a negation is that of something else."""
