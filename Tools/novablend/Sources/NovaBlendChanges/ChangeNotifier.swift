import Synchronization

/// Reports changes of cached topics, made by any process.
///
/// A topic is a resource such as `salons`, or an element such as `salons/ID`. It has changed if its
/// cached content differs from the content at the last check. Each change is reported once. A list
/// that the server only confirmed has not changed.
package final class ChangeNotifier: Sendable {
    package typealias Observer = @Sendable (_ topic: String) -> Void

    private struct State {
        var observers: [Observer] = []
        /// The last fingerprint of each watched topic.
        var fingerprints: [String: Int?] = [:]
    }

    private let state = Mutex(State())
    private let fingerprint: @Sendable (_ topic: String) -> Int?

    /// Creates a notifier. `fingerprint` returns a hash of a topic's cached content, or nil if the
    /// topic is not cached.
    package init(_ fingerprint: @escaping @Sendable (_ topic: String) -> Int?) {
        self.fingerprint = fingerprint
    }

    package func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Sets the topics whose changes are reported. Topics that are already watched retain their
    /// state.
    package func watch(_ topics: Set<String>) {
        state.withLock { state in
            let known = state.fingerprints
            state.fingerprints = [:]
            for topic in topics {
                state.fingerprints.updateValue(known[topic] ?? fingerprint(topic), forKey: topic)
            }
        }
    }

    /// Checks the watched topics of `resource`, or all if it is nil, and reports those that have
    /// changed. All earlier changes have been reported when this returns.
    package func announce(_ resource: String?) {
        state.withLock { state in
            for (topic, known) in state.fingerprints
            where resource == nil || Self.resource(of: topic) == resource {
                let current = fingerprint(topic)
                if current == known { continue }
                state.fingerprints.updateValue(current, forKey: topic)
                for observer in state.observers { observer(topic) }
            }
        }
    }

    /// The resource of `topic`: the topic itself, or the list that the topic is an element of.
    package static func resource(of topic: String) -> String { String(topic.prefix { $0 != "/" }) }
}
