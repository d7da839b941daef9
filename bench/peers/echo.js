// Peer: an echo server on node's net. Run with: node echo.js
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
"use strict";
const net = require("net");

const server = net.createServer({ noDelay: true }, (socket) => {
  socket.on("data", (data) => {
    if (!socket.write(data)) {
      socket.pause();
      socket.once("drain", () => socket.resume());
    }
  });
  socket.on("error", () => socket.destroy());
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
  console.log(`port ${server.address().port}`);
});
