import NovaBlendCurl

/// The sockets that a transfer opens, and where they may lead.
extension Transfer {
    /// A socket is opened for this transfer, but may outlive it: what watches the sockets outlives
    /// them all, and closes them.
    func setUpSockets() {
        let (transfer, watch) = (Unmanaged.passUnretained(self), Unmanaged.passUnretained(watch))
        nb_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, transfer.toOpaque())
        nb_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, watch.toOpaque())
        nb_curl_set_open(easy) { context, _, address in
            guard let transfer = Transfer.of(context), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(address)
        }
        nb_curl_set_close(easy) { context, socket in
            guard let context else { return 1 }
            return Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().closeSocket(
                socket
            )
        }
    }

    /// The address lies at the end of libcurl's structure, and reaches beyond it.
    private func openSocket(_ place: UnsafePointer<curl_sockaddr>) -> Int32 {
        let (address, offset) = (place.pointee, MemoryLayout<curl_sockaddr>.offset(of: \.addr))
        let ip = offset.flatMap {
            IPAddress(family: address.family, UnsafeRawPointer(place).advanced(by: $0))
        }
        guard destination.allows(ip) else { return CURL_SOCKET_BAD }
        return watch.openSocket(address.family, address.socktype, address.protocol)
    }
}
