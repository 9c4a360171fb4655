"""A small speech server that has nothing in common with ours but the protocol: NDJSON over HTTP/1.1, chunked.

What it does with a request is chosen by the request's model; what it sent and heard is kept for the test to compare.
"""
import base64
import hashlib
import http.server
import json
import random
import socket
import struct
import threading
import time


def speech(seed: int, text: str, channels: int) -> list[bytes]:
    """Chunks of s16le PCM that depend on what was asked, begin with silence, and differ in size."""
    noise = random.Random(f"{seed}:{text}")
    chunks = []
    for number in range(noise.randint(3, 7)):
        frames = noise.randint(200, 3000)
        samples = [0 if number == 0 else noise.randint(-8000, 8000) for _ in range(frames * channels)]
        chunks.append(struct.pack(f"<{len(samples)}h", *samples))
    return chunks


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = json.loads(body)
        entry = {"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}, "asked": asked, "chunks": [], "body": len(body)}
        self.server.remember(entry)
        getattr(self, "answer_" + asked["model"].replace("-", "_"), self.answer_good)(asked, entry)

    def start(self, content_type="application/x-ndjson", status=200):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def event(self, event: dict, piece: int = 0):
        line = (json.dumps(event) + "\n").encode()
        for begin in range(0, len(line), piece or len(line)):
            part = line[begin : begin + (piece or len(line))]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def finish_body(self):
        self.wfile.write(b"0\r\n\r\n")

    def audio(self, asked, entry, piece=0, most=None):
        chunks = speech(asked["seed"], asked["input"], asked["channels"])[:most]
        for index, pcm in enumerate(chunks):
            self.event({"event": "audio", "index": index, "pcm": base64.b64encode(pcm).decode()}, piece)
            entry["chunks"].append(len(pcm) // (2 * asked["channels"]))
        entry["sha256"] = hashlib.sha256(b"".join(chunks)).hexdigest()
        entry["frames"] = sum(entry["chunks"])

    def final(self, asked, entry, piece=0, **changed):
        request_members = {"model", "input", "seed", "sample_rate", "channels", "encoding", "stream", "reference_audio", "reference_text"}
        event = {
            "event": "final",
            "sample_rate": asked["sample_rate"],
            "channels": asked["channels"],
            "encoding": "pcm_s16le",
            "sample_count": entry["frames"],
            "effective": {k: v for k, v in asked.items() if k not in request_members},
        }
        self.event({**event, **changed}, piece)

    def answer_good(self, asked, entry):
        self.start()
        self.audio(asked, entry)
        self.final(asked, entry)
        self.finish_body()

    def answer_pieces(self, asked, entry):
        self.start()
        self.audio(asked, entry, piece=1009)
        self.final(asked, entry, piece=7)
        self.finish_body()

    def answer_every_second_fails(self, asked, entry):
        if self.server.count % 2 == 0:
            return self.answer_status_500(asked, entry)
        return self.answer_good(asked, entry)

    def answer_status_500(self, asked, entry):
        text = json.dumps({"error": {"message": "no such voice; your key is " + self.headers.get("Authorization", "absent")}}).encode()
        self.send_response(500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def answer_json(self, asked, entry):
        self.start("application/json")
        self.event({"audioUrl": "http://127.0.0.1:1/never-fetched"})
        self.finish_body()

    def answer_html(self, asked, entry):
        self.start("text/html")
        self.event({"x": 1})
        self.finish_body()

    def answer_gzip(self, asked, entry):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"\x1f\x8b\x08\x00")

    def answer_no_final(self, asked, entry):
        self.start()
        self.audio(asked, entry)
        self.finish_body()

    def answer_cut(self, asked, entry):
        self.start()
        self.audio(asked, entry)
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def answer_wrong_count(self, asked, entry):
        self.start()
        self.audio(asked, entry)
        self.final(asked, entry, sample_count=entry["frames"] + 1)
        self.finish_body()

    def answer_wrong_settings(self, asked, entry):
        self.start()
        self.audio(asked, entry)
        self.final(asked, entry, effective={"temperature": 0.8})
        self.finish_body()

    def answer_error_event(self, asked, entry):
        self.start()
        self.audio(asked, entry, most=2)
        self.event({"event": "error", "message": "out of memory; key " + self.headers.get("Authorization", "absent")})
        self.finish_body()

    def answer_silent(self, asked, entry):
        self.start()
        self.audio(asked, entry, most=1)
        self.final(asked, entry)
        self.finish_body()

    def answer_never(self, asked, entry):
        while self.server.running:
            time.sleep(0.02)
        self.close_connection = True


class SpeechServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.count = 0
        self.running = True
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def remember(self, entry):
        with self.lock:
            self.requests.append(entry)
            self.count += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.running = False
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        pass
