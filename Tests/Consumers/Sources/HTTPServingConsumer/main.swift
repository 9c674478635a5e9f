import HTTPServing

let server = try HTTPServer(address: 0x7F00_0001, port: 0) { request in
    ServerResponse(status: 200, body: Array(request.path.utf8))
}
precondition(server.port != 0)
server.stop()
