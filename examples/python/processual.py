"""A client of a Processual State service, from the service's own OpenAPI document.

Each operation of /openapi.json is a method: POST /cycle is `post_cycle`, GET /profile/scaled is
`get_profile_scaled`. Parameters and the fields of the body are named arguments. Python's standard
library is all it needs.

    service = Service("http://127.0.0.1:8100")
    service.post_cycle(content="A first thought.", source="Ada", conversation="Monday")
    print(service.get_state()["state_id"])
    for kind, data in service.events(types="cycle.done,drift.alarm"):
        print(kind, data)
"""

import json
import re
import time
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}


class ServiceError(Exception):
    """An error response. `retryable` is true only if another try can help."""

    def __init__(self, status, body, retry_after):
        detail = body.get("detail", body)
        super().__init__(f"{status}: {detail if isinstance(detail, str) else json.dumps(detail)}")
        self.status = status
        self.code = body.get("code")
        self.id = body.get("id")
        self.retryable = body.get("retryable", status in (429, 503))
        self.retry_after = retry_after


class Service:
    def __init__(self, url, token=None, timeout=30, max_tries=4):
        self._url = url.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout = timeout
        self._max_tries = max_tries
        document = self._send("GET", "/openapi.json")
        self._operations = {
            to_snake_case(operation["operationId"]): (method.upper(), path, operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
            if method in METHODS  # A path may also have servers, parameters and a summary.
        }

    def __dir__(self):
        return [*super().__dir__(), *self._operations]

    def __getattr__(self, name):
        try:
            method, path, operation = self.__dict__["_operations"][name]
        except KeyError:
            raise AttributeError(f"The service has no operation {name}.") from None

        def call(**arguments):
            target, headers, rest = place_arguments(path, operation, arguments)
            if rest and "requestBody" not in operation:
                raise TypeError(f"{name} has no parameter {', '.join(rest)}.")
            return self._send(method, target, headers, rest if "requestBody" in operation else None)

        call.__name__, call.__doc__ = name, operation.get("description")
        return call

    def events(self, **parameters):
        """Yields the type and the data of every event, without end: after a break it resumes after the last one."""
        path = self._operations["get_events"][1]
        last, pause = None, 2.0
        while True:
            headers = {**self._headers, "Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                with urlopen(Request(f"{self._url}{path}?{urlencode(parameters)}", headers=headers), timeout=60) as stream:
                    for event in read_events(stream):
                        last = event.get("id", last)
                        pause = int(event["retry"]) / 1000 if "retry" in event else pause
                        if "data" in event:
                            yield event.get("event", "message"), json.loads(event["data"])
            except HTTPError as error:
                failure = to_service_error(error)
                if not failure.retryable:
                    raise failure from None
            except OSError:
                pass
            time.sleep(pause)

    def _send(self, method, target, headers=None, body=None):
        for tries_left in reversed(range(self._max_tries)):
            request = Request(self._url + target, method=method, headers={**self._headers, **(headers or {})})
            if body is not None:
                request.data = json.dumps(body).encode()
                request.add_header("Content-Type", "application/json")
            try:
                with urlopen(request, timeout=self._timeout) as response:
                    text = response.read()
                    return json.loads(text) if text else None
            except HTTPError as error:
                failure = to_service_error(error)
                if tries_left == 0 or not failure.retryable:
                    raise failure from None
                if failure.id:
                    headers = {**(headers or {}), "Idempotency-Key": failure.id}  # It may be done already: with its id, it is done only once.
                time.sleep(failure.retry_after)
            except URLError as error:
                if tries_left == 0 or not isinstance(error.reason, ConnectionRefusedError):
                    raise OSError(f"{self._url} cannot be reached: {error.reason}") from None
                time.sleep(1)  # Nothing was sent, and a service that starts is ready in a second or two.


def place_arguments(path, operation, arguments):
    """Fills the path, the query and the headers, as the operation declares them. The other arguments are the body's."""
    rest, query, headers = dict(arguments), {}, {}
    for parameter in operation.get("parameters", []):
        name, place = parameter["name"], parameter["in"]
        value = rest.pop(name.replace("-", "_").lower(), None)
        if value is None:
            continue
        value = json.dumps(value) if isinstance(value, bool) else str(value)
        if place == "path":
            path = path.replace("{" + name + "}", quote(value, safe=""))
        else:
            (headers if place == "header" else query)[name] = value
    return path + (f"?{urlencode(query)}" if query else ""), headers, rest


def read_events(stream):
    """The fields of each server-sent event; a line that begins with a colon keeps the stream open."""
    event = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name:
            value = value.removeprefix(" ")
            event[name] = f"{event[name]}\n{value}" if name == "data" and name in event else value
        elif event and not line.strip():
            yield event
            event = {}


def to_service_error(error):
    try:
        body = json.loads(error.read())
    except ValueError:
        body = {}
    return ServiceError(error.code, body if isinstance(body, dict) else {"detail": body}, float(error.headers.get("Retry-After") or 1))


def to_snake_case(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
