"""A receiver of webhooks for Python 3.8 or later, without packages.

Set WEBHOOK_SECRET to the signing secret and run `python3 receiver.py`; PORT is where it listens on 127.0.0.1
(default 4000). Put what ends TLS in front of it.

A request is verified by the strongest signature that it carries. If you know which of them your URL gets, keep that
function alone: then nobody can choose a weaker one for you.
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 300
MAX_BODY = 1024 * 1024
DAY = 24 * 3600


def is_standard(headers, body, secret, now):
    """Standard Webhooks: the headers webhook-*."""
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + in_base64(hmac_of(standard_key(secret), signed))
    given = headers.get("webhook-signature", "").split(" ")
    return is_fresh(timestamp, now) and any(is_same(one, expected) for one in given)


def is_provider(headers, body, secret, now):
    """Provider lockers and third-party deliveries: X-Webhook-Signature."""
    timestamp = headers.get("x-webhook-timestamp", "")
    signed = f"{timestamp}\n{headers.get('x-webhook-delivery-id', '')}\n".encode() + body
    digest = f"sha-256=:{in_base64(hashlib.sha256(body).digest())}:"
    return (
        is_fresh(timestamp, now)
        and is_same(headers.get("x-webhook-content-digest", ""), digest)
        and is_same(headers.get("x-webhook-signature", ""), in_base64(hmac_of(secret.encode(), signed)))
    )


def is_second_version(headers, body, secret, now):
    """Life-cycle, driver and device order events: X-Webhook-Signature-V2."""
    timestamp = headers.get("x-webhook-timestamp", "")
    signed = f"{timestamp}\n{headers.get('x-webhook-id', '')}\n".encode() + body
    expected = in_base64(hmac_of(secret.encode(), signed))
    return is_fresh(timestamp, now) and is_same(headers.get("x-webhook-signature-v2", ""), expected)


def is_handoff(headers, body, secret, now):
    """Order handoffs: X-Ohp-Signature."""
    timestamp = headers.get("x-ohp-timestamp", "")
    expected = "v1=" + hmac_of(secret.encode(), f"{timestamp}.".encode() + body).hex()
    return is_fresh(timestamp, now) and is_same(headers.get("x-ohp-signature", ""), expected)


def is_tenant(headers, body, secret, now):
    """Every tenant webhook: Signature. It covers the body alone, not the moment."""
    return is_same(headers.get("signature", ""), hmac_of(secret.encode(), body).hex())


def is_genuine(headers, body, secret, now):
    """Whether a request comes from who knows the secret."""
    if "webhook-signature" in headers:
        return is_standard(headers, body, secret, now)
    if "x-webhook-signature" in headers:
        return is_provider(headers, body, secret, now)
    if "x-webhook-signature-v2" in headers:
        return is_second_version(headers, body, secret, now)
    if "x-ohp-signature" in headers:
        return is_handoff(headers, body, secret, now)
    return is_tenant(headers, body, secret, now)


def standard_key(secret):
    """The key of Standard Webhooks: what follows whsec_, else the secret itself."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    text = secret[len("whsec_"):]
    return base64.b64decode(text + "=" * (-len(text) % 4))


def hmac_of(key, signed):
    return hmac.new(key, signed, hashlib.sha256).digest()


def in_base64(digest):
    return base64.b64encode(digest).decode()


def is_same(one, other):
    """Takes the same time wherever they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def is_fresh(timestamp, now):
    return re.fullmatch(r"[0-9]{1,12}", timestamp) is not None and abs(now - int(timestamp)) <= TOLERANCE


# Ids and when they came. Yours belong into a database, in one transaction with what you do.
seen = {}
lock = threading.Lock()
work = queue.Queue()


def is_new(notice_id, at):
    """Whether an id has not come within a day."""
    with lock:
        while seen and at - next(iter(seen.values())) >= DAY:
            del seen[next(iter(seen))]
        if notice_id in seen:
            return False
        seen[notice_id] = at
        return True


def read(headers, body):
    """What happened, out of any of the three formats, and the id to know it again by.

    The id of the body comes first: every signature covers it.
    """
    document = json.loads(body)
    is_cloud_event = headers.get("content-type", "").startswith("application/cloudevents+json")
    notice = document["data"] if is_cloud_event else document
    header = headers.get("x-webhook-event-id") or headers.get("x-ohp-delivery")
    return notice, str(notice.get("event_id") or notice.get("message_id") or header)


def process():
    """Yours: runs after the answer is sent."""
    while True:
        notice_id, notice = work.get()
        print(f"processed {notice_id} {json.dumps(notice['event'])}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if re.fullmatch(r"[0-9]{1,7}", length) is None or int(length) > MAX_BODY:
            return self.answer(413)
        # The bytes as they came: JSON that is parsed and written again has another signature.
        body = self.rfile.read(int(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not is_genuine(headers, body, os.environ["WEBHOOK_SECRET"], int(time.time())):
            print("refused: no signature fits the secret", flush=True)
            return self.answer(401)
        notice, notice_id = read(headers, body)
        if isinstance(notice.get("challenge"), str):
            return self.answer(200, json.dumps({"challenge": notice["challenge"]}).encode())
        if is_new(notice_id, time.time()):
            work.put((notice_id, notice))
        self.answer(204)

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not os.environ.get("WEBHOOK_SECRET"):
        sys.exit("Set WEBHOOK_SECRET to the signing secret.")
    threading.Thread(target=process, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listens on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
