#!/usr/bin/env python3
"""Peer: nginx, one process. Usage: http_hello_nginx.py FOLDER

Writes its configuration into FOLDER, prints "port <number>" and becomes nginx, which serves 127.0.0.1
until it is killed.
"""
import contextlib
import os
import pathlib
import shutil
import socket
import sys
import time

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr error;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=1024;
    location / {{ default_type text/plain; return 200 "hello"; }}
  }}
}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def print_port_when_ready(port):
    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            print(f"port {port}", flush=True)
            return
        time.sleep(0.05)
    print("nginx does not listen", flush=True)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, port=port), encoding="utf-8")
    # The one whose CPU time is measured is this process; another one waits for it.
    if os.fork() == 0:
        print_port_when_ready(port)
        return
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    os.execv(nginx, ["nginx", "-p", str(folder), "-c", str(file)])


if __name__ == "__main__":
    main()
