import Synchronization

/// Stands for the type of swift-log, so that the example of the documentation is compiled and tested
/// without a dependency.
struct Logger: Sendable {
    let log: @Sendable (String) -> Void

    func error(_ message: String) { log(message) }
}

/// Stands for the type of swift-metrics.
struct Timer: Sendable {
    /// The methods of the recorded calls.
    static let recorded = Mutex<Set<String>>([])

    private let methods: [String]

    init(label: String, dimensions: [(String, String)]) { methods = dimensions.map(\.1) }

    func record(duration: Duration) {
        if duration > .zero { Self.recorded.withLock { $0.formUnion(methods) } }
    }
}
