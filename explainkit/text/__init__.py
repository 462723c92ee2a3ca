"""Pure algorithms on text, because value edges, spans and coverage must not depend on records.

Every offset in this layer counts code points of the original ``str``. Import from the modules:

    tokens      words, numbers and symbols with offsets and process-independent 64-bit keys
    numbers     quantities: value and unit
    units       ids, dates, URLs, e-mail addresses, quotes and numbers as whole units
    sentences   where sentences, bullets and table rows begin and end
    names       capitalised names and quoted strings
    matching    common runs of text between many texts, and where a span stands
    alignment   which characters of one version became which of the next
    overlap     lexical ranking and what supports a sentence
    quoting     quotations, and whether they stand word for word in their source
    saying      whether a text still says some words, numbers by value, negation minded
    grounding   names and numbers that stand in no other text
"""
