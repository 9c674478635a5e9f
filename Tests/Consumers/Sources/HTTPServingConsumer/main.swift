import HTTPServing

let server = try HTTPServer() { request in
    ServerResponse(status: 200, body: Array(request.path.utf8))
}
precondition(server.port != 0)
server.stop()
