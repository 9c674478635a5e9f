@_spi(JSONRPC) import JSON

// Messages that are not valid JSON. A caller waits for each of its requests, so the error has the id of
// the request whenever that is certain.
extension Session {
    /// Handles a message that the parser rejected with `error`; true if it is a response.
    ///
    /// If only halves of surrogate pairs and numbers out of range are wrong with it, the rest of the
    /// message counts: those in a place that is ignored, or in a text for people, do no harm.
    func receive(invalid message: [UInt8], _ error: JSONError) -> Bool {
        let scan = message.withUnsafeBytes { MessageScan($0) }
        guard let repaired = Self.repaired(message, scan.defects ?? []),
            let root = JSONDocument(validating: repaired, limits: limits.json)?.root
        else { return reject(.parseError(error.description), scan) }
        let envelope = repaired.withUnsafeBytes { Envelope(root, $0) }
        switch envelope {
        case .invalid: return reject(.parseError(error.description), scan)
        case .response:
            let isIgnored = (scan.defects ?? []).allSatisfy { !Self.isPartOfResponse($0) }
            guard isIgnored else { return reject(.parseError(error.description), scan) }
        case .notification(let method, let params):
            // A cancellation must not be lost because of its reason.
            let isBuiltIn =
                method == "exit" || table.protocolExtension.cancellation(for: method) != nil
            if !isBuiltIn, let problem = problem(with: scan, method, params) {
                events.log("the notification \"\(method)\" failed: \(problem.message)")
                return false
            }
        case .request(_, let method, let params):
            if let problem = problem(with: scan, method, params) {
                makeReport(of: method)?(problem)
                sendReply(Reply.error(problem, id: scan.id ?? Envelope.nullID))
                return false
            }
        }
        handle(envelope, size: message.count, reply: sendReply)
        if case .response = envelope { return true }
        return false
    }

    /// Rejects a message of which only the beginning is known; true if it is a response.
    @discardableResult
    func reject(_ error: RPCError, beginning: [UInt8]) -> Bool {
        reject(error, beginning.withUnsafeBytes { MessageScan($0) })
    }

    /// Sends an error for a message. If the message is a response, fails the call that waits for it
    /// instead; true in that case.
    private func reject(_ error: RPCError, _ scan: MessageScan) -> Bool {
        // A client gets requests only from a few servers, and they have a method.
        let isResponse = !scan.hasMethod && (scan.hasOutcome || initializeResult == nil)
        if isResponse, let id = scan.id.flatMap({ JSONDocument(validating: $0)?.root }) {
            events.log(error.message)
            peer.receive(.failure(error), for: id)
            return true
        }
        sendError(error, id: isResponse ? Envelope.nullID : scan.id ?? Envelope.nullID)
        return false
    }

    /// The message with U+FFFD in place of halves of surrogate pairs, and with an array in place of
    /// numbers out of range: no parameter accepts that array. Nil if there is nothing to replace.
    private static func repaired(_ message: [UInt8], _ defects: [MessageScan.Defect]) -> [UInt8]? {
        if defects.isEmpty { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(message.count + 64)
        var start = 0
        for defect in defects {
            output += message[start..<defect.range.lowerBound]
            switch defect.kind {
            case .loneSurrogate: output += LoneSurrogate.replaced(in: Array(message[defect.range]))
            case .numberOutOfRange: output += (defect.path == [.key("id")] ? "0" : "[[]]").utf8
            }
            start = defect.range.upperBound
        }
        return output + message[start...]
    }

    private static func isPartOfResponse(_ defect: MessageScan.Defect) -> Bool {
        [.key("id"), .key("result"), .key("error"), .key("jsonrpc")].contains(defect.path.first)
    }
}

extension Session {
    /// The error of the first defect that matters; nil if none does.
    private func problem(
        with scan: MessageScan,
        _ method: String,
        _ params: JSONValue?
    ) -> RPCError? {
        let method = table[method]
        let defect = scan.defects?.first { matters($0, method, params) }
        return defect.map { defect in
            let path = JSONPath(defect.path).description
            let parameter = defect.path.dropFirst().first.map(\.stringValue)
            let reason =
                switch defect.kind {
                case .loneSurrogate(let isKey):
                    "\(path) has \(isKey ? "a name with " : "")half of a surrogate pair; a text "
                        + "must consist of whole characters"
                case .numberOutOfRange: "\(path) is a number that does not fit in 64 bits"
                }
            return .invalidParams(reason, parameter: parameter, path: path)
        }
    }

    private func matters(
        _ defect: MessageScan.Defect,
        _ method: Method?,
        _ params: JSONValue?
    ) -> Bool {
        let isNumber = if case .numberOutOfRange = defect.kind { true } else { false }
        guard defect.path.first == .key("params") else {
            let read: [PathStep?] = [.key("jsonrpc"), .key("id"), .key("method")]
            return !isNumber || read.contains(defect.path.first)
        }
        let path = Array(defect.path.dropFirst())
        if isNumber, isReserved(path) { return true }
        if case .key(let name)? = path.first, table.protocolExtension.metadata.contains(name) {
            return false
        }
        guard let parameter = method?.parameter(at: path, in: params) else { return !isNumber }
        if case .loneSurrogate(isKey: false) = defect.kind { return !parameter.isFreeText }
        return true
    }

    /// Whether a value belongs to the protocol, such as a progress token, in the params or in metadata.
    private func isReserved(_ path: [PathStep]) -> Bool {
        let (reserved, metadata) = (
            table.protocolExtension.reservedParameters, table.protocolExtension.metadata
        )
        let names = path.map(\.stringValue)
        guard let first = names.first, reserved.contains(first) else { return false }
        if !metadata.contains(first) { return true }
        return names.count > 1 && reserved.contains(names[1])
    }
}

extension Method {
    /// The parameter to which the value at a path in the params belongs; nil if there is none.
    fileprivate func parameter(at path: [PathStep], in params: JSONValue?) -> Parameter? {
        switch path.first {
        case .index(let index): return index < parameters.count ? parameters[index] : nil
        case .key(let name):
            if case .key(let member)? = path.dropFirst().first,
                let nested = nestedParameter?(params, name, member)
            {
                return nested
            }
            return parameters.first { $0.name == name }
        case nil: return nil
        }
    }
}
