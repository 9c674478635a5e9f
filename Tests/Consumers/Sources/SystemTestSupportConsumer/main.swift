import SystemTestSupport

let server = try LoopbackServer { $0.reply("200 OK", body: $0.path) }
let connection = try TCPConnection(port: server.port)
connection.send("GET /hello HTTP/1.1\r\n\r\n")
precondition(connection.response()?.text == "/hello")
