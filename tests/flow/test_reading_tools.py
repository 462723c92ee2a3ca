"""How the reading model calls tools and reads what they give back."""

import json

from explainkit.flow.models import NOT_SAID, ReadingModel, ToolCall, ToolSpec

MODEL = ReadingModel()


def tool(name, description="", required=(), **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name=name, description=description, parameters=schema)


TEMPERATURE = tool(
    "get_temperature", "Temperature of a city", ["city"],
    city={"type": "string"}, unit={"type": "string", "enum": ["celsius", "kelvin"]},
    days={"type": "integer"},
)  # fmt: skip
LOOKUP = tool("lookup_order", "Find an order by its id", ["order_id"], order_id={"type": "string"})


def calls(prompt, *tools):
    return MODEL.complete_sync(prompt, tools=tools).tool_calls


def test_the_tool_that_fits_is_called_with_arguments_from_the_question():
    (call,) = calls("What is the temperature in New Bergen in kelvin?", LOOKUP, TEMPERATURE)
    assert call.name == "get_temperature"
    assert call.arguments == {"city": "New Bergen", "unit": "kelvin"}


def test_a_number_goes_to_the_parameter_that_it_names():
    (call,) = calls("What is the temperature in Bergen for 3 days?", TEMPERATURE)
    assert call.arguments == {"city": "Bergen", "days": 3}


def test_ids_are_strings_and_a_question_without_one_calls_nothing():
    assert calls("Where is my order B-17?", LOOKUP)[0].arguments == {"order_id": "B-17"}
    assert calls("Where is my order?", LOOKUP) == ()


def test_a_tool_that_does_not_fit_is_not_called():
    completion = MODEL.complete_sync("Who wrote the book?", tools=[LOOKUP, TEMPERATURE])
    assert completion.tool_calls == ()
    assert completion.text == NOT_SAID


def test_a_request_without_a_question_mark_calls_a_tool_without_parameters():
    chat = [{"role": "user", "content": "Run the tests."}]
    (call,) = calls(chat, ToolSpec(name="finished"), ToolSpec(name="run_tests"))
    assert call == ToolCall(id="call_1", name="run_tests", arguments={})


def conversation(question, call, result, system="Be brief."):
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": result, "tool_call_id": call.id},
    ]


def test_the_result_is_read_and_the_tool_is_not_called_again():
    call = ToolCall(id="call_1", name="get_temperature", arguments={"city": "Oslo"})
    result = json.dumps({"city": "Oslo", "temperature": 21.5})
    chat = conversation("What is the temperature in Oslo?", call, result)
    completion = MODEL.complete_sync(chat, tools=[TEMPERATURE])
    assert (completion.text, completion.tool_calls) == ("21.5", ())


def test_a_measure_that_a_tool_gave_decides_which_rule_applies():
    call = ToolCall(id="call_1", name="lookup_order", arguments={"order_id": "B-17"})
    rules = "For a wait of 30 minutes or more we pay back half. From 90 minutes we pay back all."
    question = "I waited for order B-17. What do I get back?"
    for minutes, answer in ((40, "We pay back half."), (95, "We pay back all.")):
        chat = conversation(question, call, json.dumps({"wait_minutes": minutes}), rules)
        assert MODEL.read(chat).answer == answer


def test_an_argument_can_come_from_an_earlier_result():
    call = ToolCall(id="call_1", name="lookup_order", arguments={"order_id": "B-17"})
    refund = tool(
        "refund_payment", "Refund a payment", ["payment_id"], payment_id={"type": "string"}
    )
    chat = conversation("Refund the payment of order B-17.", call, '{"payment_id": "P-9"}')
    (next_call,) = calls(chat, LOOKUP, refund)
    assert next_call == ToolCall(
        id="call_2", name="refund_payment", arguments={"payment_id": "P-9"}
    )


def test_results_that_are_no_object_are_read_as_text():
    call = ToolCall(id="call_1", name="lookup_order")
    for result, answer in (("12.5", "12.5"), ('"on its way"', "on its way"), ("Gone.", "Gone.")):
        assert MODEL.read(conversation("Where is order B-17?", call, result)).answer == answer


def test_hostile_schemas_and_results_do_not_raise():
    odd = ToolSpec(
        name="order", parameters={"properties": {"a": 3, "b": {"type": ["x"]}}, "required": 1}
    )
    assert calls("Where is the order?", odd)[0].arguments.keys() <= {"a"}
    call = ToolCall(id="call_1", name="x")
    deep = "[" * 100_000
    assert MODEL.read(conversation("Where is order B-17?", call, deep)).answer == deep
