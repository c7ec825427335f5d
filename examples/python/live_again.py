"""Lets an identity live again what was said: each message moves it, in its order, and the ledger
knows whose it is. The messages are those of an export, imported from mem0, Letta or any other file.

    processual import messages letta.af
    processual export all.jsonl
    processual serve &
    python3 live_again.py http://127.0.0.1:8100 --user Hanne < all.jsonl

Run again, it says nothing twice that the service still knows by its key.
"""

import argparse
import hashlib
import json
import os
import sys

from processual import Service


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("url")
    parser.add_argument("--user", default="user", help="the source of what was said with the role “user”")
    arguments = parser.parse_args()

    service = Service(arguments.url, token=os.environ.get("TOKEN"))
    lived = 0
    for line in sys.stdin:
        entry = json.loads(line)
        if entry.get("kind") != "message" or entry["deleted"] or entry["role"] not in ("user", "assistant"):
            continue
        is_user = entry["role"] == "user"
        service.post_cycle(
            content=entry["content"],
            trigger_type=entry["role"],
            metadata={
                "source": arguments.user if is_user else "self",
                "conversation": entry["conversation"],
                "said": entry["created"],
            },
            idempotency_key=hashlib.sha256(line.encode()).hexdigest(),
        )
        lived += 1
    print(f"{lived} messages; it is state {service.get_state()['state_id']}.")


if __name__ == "__main__":
    main()
