/// Has the functions of swift-log's `Logger` that the example calls, because a test cannot download
/// swift-log.
struct Logger {
    let label: String

    func debug(_ message: String, metadata: [String: String]) {
        let values = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        print(label, message, values.joined(separator: " "))
    }
}
