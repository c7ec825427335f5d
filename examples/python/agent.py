"""An agent with an identity: what its user says and what it says itself move the identity, and what
stands out in it is part of the instructions of its next answer.

    python3 agent.py http://127.0.0.1:8100 --user Ada

Each line that you type is a text. TOKEN is the service's token. With CHAT_URL (the base of any
OpenAI-compatible API) and CHAT_MODEL a language model answers; without them the agent says
what it was instructed.
"""

import argparse
import json
import os
import sys
import threading
import uuid
from urllib.request import Request, urlopen

from processual import Service

# The events about itself that the agent shows while it talks.
NOTICES = "drift.alarm,echo.noticed,source.changed,source.noticed,state"


def describe_itself(service, most=3):
    """What differs from chance, the strongest first; empty if nothing does."""
    directions = service.get_profile_scaled(lens="thirdness")["directions"]
    standing_out = sorted((d for d in directions if d["pole"]), key=lambda d: -abs(d["z"]))
    return " ".join(
        f"You lean {'strongly ' if d['word'] == 'strong' else ''}towards “{d['pole']}”." for d in standing_out[:most]
    )


def answer(instructions, said):
    if "CHAT_URL" not in os.environ:
        return f"I hear you. {instructions}".strip()
    body = {
        "model": os.environ["CHAT_MODEL"],
        "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": said}],
    }
    request = Request(
        f"{os.environ['CHAT_URL']}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=120) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def follow(service):
    for kind, data in service.events(types=NOTICES):
        if kind != "state":
            print(f"[{kind}] {json.dumps(data, ensure_ascii=False)}", file=sys.stderr, flush=True)
        else:
            print(f"[state {data['state_id']}]", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("url")
    parser.add_argument("--user", default="user", help="who types; the source of their texts")
    arguments = parser.parse_args()

    service = Service(arguments.url, token=os.environ.get("TOKEN"))
    threading.Thread(target=follow, args=(service,), daemon=True).start()
    # All that both say from now on is one conversation, the unit of chance for drift.
    conversation = str(uuid.uuid4())
    for line in sys.stdin:
        said = line.strip()
        if not said:
            continue
        service.post_cycle(content=said, source=arguments.user, conversation=conversation)
        reply = answer(describe_itself(service), said)
        # The source `self` marks the agent's own words, so that the service notices who repeats them.
        service.post_cycle(content=reply, trigger_type="assistant", source="self", conversation=conversation)
        print(reply, flush=True)


if __name__ == "__main__":
    main()
