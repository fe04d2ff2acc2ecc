import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import is_genuine

seen = set()  # keep these where they outlive the process


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(os.environ["SONDE_WEBHOOK_SECRET"], self.headers, body):
            return self.answer(401)
        # Answer first, work afterwards. A delivery may come twice.
        self.answer(204)
        if self.headers["webhook-id"] in seen:
            return
        seen.add(self.headers["webhook-id"])
        told = json.loads(body)
        results = told["results"]
        what = f"read them at {told['results_url']}" if results is None else f"{len(results)} results"
        print(told["batch_id"], told["status"], what, flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *words):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()
