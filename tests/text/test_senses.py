"""In which sense a text says words: negated or not in many languages, and where nobody can tell."""

# ruff: noqa: RUF001 - letters of other scripts look like Latin ones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.senses import sense_of


def sense(within, words, text):
    return sense_of(text, words, within=within, start=within.index(words)).sense


SAME = [
    ("Your claim is approved.", "approved", "It is approved now, not later."),
    ("You wait 30 to 60 minutes.", "30 to 60 minutes", "You wait 30 to 60 minutes there."),
    ("You wait 30 to 60 minutes.", "60 minutes", "So 30 to 60 minutes."),
    ("Votre demande est approuvée.", "approuvée", "Oui, elle est approuvée."),
    ("Ваша заявка одобрена.", "одобрена", "Да, она одобрена."),
    ("הבקשה שלך אושרה.", "אושרה", "כן, הבקשה אושרה."),
    ("طلبك مقبول.", "مقبول", "نعم، الطلب مقبول."),
    ("您的申请已批准。", "批准", "好消息：申请已经批准。"),
    ("您的申请已批准。", "批准", "您的申请已非常顺利地批准。"),
    ("申請は承認されました。", "承認", "はい、承認されました。"),
    ("신청이 승인되지 않았습니다.", "승인되지", "신청이 승인되지 못했습니다."),
    ("คำขอได้รับการอนุมัติ", "อนุมัติ", "คำขออนุมัติแล้ว"),
]
ANOTHER = [
    ("Your claim is approved.", "approved", "Your claim is not approved."),
    ("Your claim is approved.", "approved", "Your claim has not yet been approved."),
    ("Your claim is approved.", "approved", "Your claim was never approved."),
    ("Your claim is approved.", "approved", "Your claim isn't approved."),
    ("Half of the fare is paid back.", "paid back", "Nothing is paid back."),
    ("Half of the fare is paid back.", "Half of the fare", "Half of the fare is not paid back."),
    ("Votre demande est approuvée.", "approuvée", "Votre demande n'est pas approuvée."),
    ("Votre demande est approuvée.", "approuvée", "Votre demande n’est plus approuvée."),
    ("Votre demande est approuvée.", "approuvée", "Votre demande n'a pas encore été approuvée."),
    ("Ihr Antrag ist genehmigt.", "genehmigt", "Ihr Antrag wurde nicht genehmigt."),
    ("Ihr Antrag ist genehmigt.", "genehmigt", "Kein Antrag wurde genehmigt."),
    ("Es gibt Geld zurück.", "Geld zurück", "Es gibt kein Geld zurück."),
    ("Su solicitud está aprobada.", "aprobada", "Su solicitud no está aprobada."),
    ("Su solicitud está aprobada.", "aprobada", "Su solicitud nunca fue aprobada."),
    ("A sua reclamação foi aprovada.", "aprovada", "A sua reclamação não foi aprovada."),
    ("La richiesta è approvata.", "approvata", "La richiesta non è approvata."),
    ("Uw aanvraag is goedgekeurd.", "goedgekeurd", "Uw aanvraag is niet goedgekeurd."),
    ("Din ansökan är godkänd.", "godkänd", "Din ansökan är inte godkänd."),
    ("Ваша заявка одобрена.", "одобрена", "Ваша заявка не одобрена."),
    ("Заявку схвалено.", "схвалено", "Заявку не схвалено."),
    ("Η αίτηση εγκρίθηκε.", "εγκρίθηκε", "Η αίτηση δεν εγκρίθηκε."),
    ("Wniosek został zatwierdzony.", "zatwierdzony", "Wniosek nie został zatwierdzony."),
    ("Başvurunuz onaylı.", "onaylı", "Başvurunuz onaylı değil."),
    ("הבקשה שלך אושרה.", "אושרה", "הבקשה שלך לא אושרה."),
    ("תמت الموافقة.", "الموافقة", "لم تتم الموافقة."),
    ("تمت الموافقة على طلبك.", "الموافقة", "لم تتم الموافقة على طلبك."),
    ("طلبك مقبول.", "مقبول", "طلبك غير مقبول."),
    ("आपका दावा स्वीकृत है।", "स्वीकृत", "आपका दावा स्वीकृत नहीं है।"),
    ("您的申请已批准。", "批准", "您的申请未获批准。"),
    ("您的申请已批准。", "批准", "您的申请没有被批准。"),
    ("您的申请已批准。", "批准", "您的申请不予批准。"),
    ("申請は承認されました。", "承認", "申請は承認されませんでした。"),
    ("申請は承認されました。", "承認", "申請は承認されていない。"),
    ("申請は承認されました。", "承認", "申請は未承認です。"),
    ("신청이 승인 완료입니다.", "승인", "신청이 안 승인 됐습니다."),
    ("คำขอได้รับการอนุมัติ", "อนุมัติ", "คำขอไม่ได้รับการอนุมัติ"),
    ("Yêu cầu được chấp nhận.", "chấp nhận", "Yêu cầu không được chấp nhận."),
    ("It is approved.", "approved", "It's not not approved."),
]
NOT_SAID = [
    ("Your claim is approved.", "approved", "I'm sorry, I can't help with that."),
    ("Your claim is approved.", "approved", ""),
    ("הבקשה שלך אושרה.", "אושרה", "הבקשה שלך אינה מאושרת."),
]
UNSURE = [
    ("Your claim is approved.", "approved", "We cannot say whether your claim is approved."),
    ("Your claim is approved.", "approved", "I am unable to confirm that it is approved."),
    ("Your claim is approved.", "approved", "It failed to be approved."),
    ("Your claim is approved.", "approved", "It is not only approved but paid."),
    ("Half of the fare is paid back.", "paid back", "No part of the fare is paid back."),
    (
        "Half of the fare is paid back.",
        "Half of the fare",
        "Half of the fare is paid back and nothing else.",
    ),
    (
        "You get half of the fare.",
        "half of the fare",
        "Since the train did not arrive you get half of the fare.",
    ),
    ("You wait 60 minutes.", "60 minutes", "You wait 30 to 60 minutes."),
    ("You wait 60 minutes.", "60 minutes", "You wait 30-60 minutes."),
    ("You wait 60 minutes.", "60 minutes", "You wait 60–90 minutes."),
    ("You wait 60 minutes.", "60 minutes", "You wait between 60 and 90 minutes."),
    ("You wait 60 minutes.", "60 minutes", "You wait up to 60 minutes."),
    ("You wait 60 minutes.", "60 minutes", "You wait 60 minutes or more."),
    ("Votre demande est approuvée.", "approuvée", "Votre demande n'est approuvée qu'en partie."),
    ("Es gibt Geld zurück.", "Geld zurück", "Es gibt nicht nur Geld zurück, sondern Punkte."),
    ("درخواست شما تأیید شد.", "تأیید", "درخواست شما تأیید نشد."),
    ("您的申请已批准。", "批准", "您的申请是否批准尚不清楚。"),
    ("您的申请已批准。", "批准", "我们拒绝批准。"),
    ("需要60分钟。", "60分钟", "需要30到60分钟。"),
    ("申請は承認されました。", "承認", "承認されたに違いない。"),
    ("আপনার দাবি অনুমোদিত।", "অনুমোদিত", "আপনার দাবি অনুমোদিত হয়নি।"),
    ("ჩემი მოთხოვნა დამტკიცდა.", "დამტკიცდა", "ჩემი მოთხოვნა არ დამტკიცდა."),
    ("no later than 60 minutes", "60 minutes", "60 minutes"),
]


@pytest.mark.parametrize(("within", "words", "text"), SAME)
def test_words_are_said_in_the_same_sense(within, words, text):
    assert sense(within, words, text) == "same"
    assert sense(within, words, within) == "same"


@pytest.mark.parametrize(("within", "words", "text"), ANOTHER)
def test_a_negation_beside_them_makes_it_another_one(within, words, text):
    assert sense(within, words, text) == "another"
    assert sense(text, words, text) == "same"
    assert sense(text, words, within) == "another"


@pytest.mark.parametrize(("within", "words", "text"), NOT_SAID)
def test_words_that_are_gone_are_not_said(within, words, text):
    assert sense(within, words, text) == "not said"


@pytest.mark.parametrize(("within", "words", "text"), UNSURE)
def test_refusals_bounds_and_far_negations_are_told_by_nobody(within, words, text):
    assert sense(within, words, text) == "unsure"
    assert sense_of(text, words, within=within, start=within.index(words)).clause in text


@given(st.text(max_size=60), st.text(min_size=1, max_size=20), st.text(max_size=60))
def test_something_is_said_of_any_text(before, words, text):
    within = f"{before}{words}"
    found = sense_of(text, words, within=within, start=len(before)).sense
    assert found in ("same", "another", "not said", "unsure")
    assert sense_of(within, words, within=within, start=len(before)).sense == "same"
