import os
from datetime import datetime, timedelta, timezone

from sonde import sonde

# Creates a test token that ends in 30 days. Its answers are simulated and free. It is shown only once.
end = datetime.now(timezone.utc) + timedelta(days=30)
wanted = {"name": "Tests", "scope": "check", "is_test": True, "expires_at": end.isoformat()}
os.environ["SONDE_TOKEN"] = sonde("tokens", wanted)["token"]
mine = sonde("me")["token"]
print(mine["name"], mine["scope"], mine["expires_at"])
for host in ["status-404.example", "soft404.example", "silent.example"]:
    answer = sonde("http-status", {"url": "https://" + host + "/"})
    print(host, answer["status"], answer["error"], answer["is_soft404"])
