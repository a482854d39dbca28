import json
import sys
from datetime import date

last = {}


def filled(value):
    """A part of the answer before stands for `$` and its name."""
    if isinstance(value, dict):
        return {name: filled(each) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each) for each in value]
    return last[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def made(model, text):
    """The body as the client's own type has it."""
    global sent
    body = filled(json.loads(text))
    value = model.from_dict(body)
    sent = {"given": body, "typed": value.to_dict()}
    return value


def told(status, raw, typed):
    global last, sent
    last = json.loads(raw)
    print(json.dumps({"status": int(status), "raw": last, "typed": typed, "sent": sent}, default=lambda value: value.isoformat() if isinstance(value, date) else str(value)), flush=True)
    sent = None


sent = None
url, key = sys.argv[1:]
