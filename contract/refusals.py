"""
Schemathesis's check of valid requests, with its own statuses. Some rules no schema can tell, such as that a range is not reversed: a refusal for one of them,
400 or 422, passes if the document says so in words. The rows of `test/openapi/told-in-words.json` pair refusals with such words.
"""

import json
import re
from pathlib import Path

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

ROWS = json.loads((Path(__file__).resolve().parent.parent / "test" / "openapi" / "told-in-words.json").read_text("utf-8"))


def words_within(part, document, seen):
    """The descriptions of a part of the document, and of the components that it refers to."""
    if isinstance(part, list):
        return [word for each in part for word in words_within(each, document, seen)]
    if not isinstance(part, dict):
        return []
    found = [part["description"]] if isinstance(part.get("description"), str) else []
    name = part.get("$ref")
    if isinstance(name, str) and name not in seen:
        seen.add(name)
        _, _, section, of = name.split("/")
        found += words_within(document["components"][section][of], document, seen)
    return found + [word for each in part.values() for word in words_within(each, document, seen)]


def words_of(operation):
    document = operation.schema.raw_schema
    told = document["paths"][operation.path][operation.method.lower()]
    asked = {name: told.get(name) for name in ("description", "parameters", "requestBody")}
    return " ".join([document["info"]["description"], *words_within(asked, document, set())])


def is_in_words(response, case):
    problem = response.json()
    words = words_of(case.operation)
    messages = [issue["message"] for issue in problem.get("issues", [])] or [problem["detail"]]
    return all(any(re.search(refusal, each) and re.search(told, words) for refusal, told in ROWS) for each in messages)


@schemathesis.check
def valid_requests_are_taken(ctx, response, case):
    if response.status_code in (400, 422) and is_in_words(response, case):
        return None
    return positive_data_acceptance(ctx, response, case)
