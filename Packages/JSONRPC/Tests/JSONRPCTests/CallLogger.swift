import JSONRPC

/// Logs the calls that fail, and records how long all calls take.
final class CallLogger: CallObserver {
    let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func didHandle(_ call: CompletedCall) {
        let timer = Timer(label: "rpc_call", dimensions: [("method", call.method)])
        timer.record(duration: call.duration)
        if let error = call.error { logger.error("\(call.method): \(error.message)") }
    }
}
