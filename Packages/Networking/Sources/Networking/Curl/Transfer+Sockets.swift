import NovaBlendCurl

/// Opening and closing the sockets of a transfer.
extension Transfer {
    /// A socket is opened for this transfer but may outlive it. The socket table outlives all
    /// sockets, and closes them.
    func setUpSockets() {
        let (transfer, table) = (Unmanaged.passUnretained(self), Unmanaged.passUnretained(sockets))
        nb_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, transfer.toOpaque())
        nb_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, table.toOpaque())
        nb_curl_set_open(easy) { context, _, address in
            guard let transfer = Transfer.of(context), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(address)
        }
        nb_curl_set_close(easy) { context, socket in
            guard let context else { return 1 }
            return Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().close(socket)
        }
    }

    /// The socket address is the last member of libcurl's structure, and may extend beyond it.
    private func openSocket(_ pointer: UnsafePointer<curl_sockaddr>) -> Int32 {
        let (socket, offset) = (pointer.pointee, MemoryLayout<curl_sockaddr>.offset(of: \.addr))
        let address = offset.flatMap {
            IPAddress(family: socket.family, UnsafeRawPointer(pointer).advanced(by: $0))
        }
        guard destination.allows(address) else { return CURL_SOCKET_BAD }
        return sockets.open(socket.family, socket.socktype, socket.protocol)
    }
}
