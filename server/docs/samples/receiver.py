import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import is_genuine

seen = set()  # store these in a database


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(os.environ["SONDE_WEBHOOK_SECRET"], self.headers, body):
            return self.answer(401)
        # Answer first, then process. A delivery may come twice.
        self.answer(204)
        if self.headers["webhook-id"] in seen:
            return
        seen.add(self.headers["webhook-id"])
        payload = json.loads(body)
        results = payload["results"]
        what = f"read them at {payload['results_url']}" if results is None else f"{len(results)} results"
        print(payload["batch_id"], payload["status"], what, flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *words):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()
