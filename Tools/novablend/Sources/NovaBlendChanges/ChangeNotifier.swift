package import Domain
package import NovaBlendAdapters
import Synchronization

/// Reports changes of cached resources, made by any process.
///
/// A topic is a resource such as `salons`, or an element such as `salons/ID`. A resource has changed if
/// its cached content differs from the content at the last check. Each change is reported once. A
/// resource is reported at most four times a second; changes in between are reported together. A list
/// that the server only confirmed has not changed.
package final class ChangeNotifier: Sendable {
    package typealias Observer = @Sendable (_ topic: String, _ change: ListChange) -> Void
    /// Brings a state up to date with the cached resource, and returns how that differs.
    package typealias Reader =
        @Sendable (_ resource: String, _ state: inout CachedContent.State) -> ListChange

    private struct State {
        var observers: [Observer] = []
        var topics: Set<String> = []
        /// The last content of each watched resource.
        var contents: [String: CachedContent.State] = [:]
        /// What has changed in each resource since its last report, if that was less than `interval`
        /// ago.
        var merged: [String: ListChange] = [:]
    }

    private static let interval = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let pauses: any Pausing
    private let read: Reader

    package init(pauses: any Pausing = SystemPauses(), _ read: @escaping Reader) {
        (self.pauses, self.read) = (pauses, read)
    }

    package func observe(_ observer: @escaping Observer) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Sets the topics whose changes are reported. Resources that are already watched retain their
    /// state.
    package func watch(_ topics: Set<String>) {
        state.withLock { state in
            let known = state.contents
            (state.topics, state.contents) = (topics, [:])
            for resource in Set(topics.map(Self.resource)) {
                var content = known[resource] ?? CachedContent.State()
                if known[resource] == nil { _ = read(resource, &content) }
                state.contents[resource] = content
            }
        }
    }

    /// Checks `resource`, or all watched resources if it is nil, and reports those that have changed.
    /// All earlier changes have been reported when this returns, except those of a resource that was
    /// reported less than 250 ms before.
    package func announce(_ resource: String?) {
        state.withLock { state in
            for name in resource.map({ [$0] }) ?? Array(state.contents.keys) {
                guard var content = state.contents[name] else { continue }
                let change = read(name, &content)
                state.contents[name] = content
                if change.isEmpty { continue }
                if state.merged[name]?.append(change) != nil { continue }
                report(change, of: name, &state)
            }
        }
    }

    /// Reports a change, and then no other change of the resource for a while.
    private func report(_ change: ListChange, of resource: String, _ state: inout State) {
        for topic in state.topics where Self.resource(of: topic) == resource {
            if let id = Self.element(of: topic), !change.contains(id) { continue }
            for observer in state.observers { observer(topic, change) }
        }
        state.merged[resource] = ListChange()
        Task { [weak self, pauses] in
            try? await pauses.pause(for: Self.interval)
            self?.reportMerged(resource)
        }
    }

    private func reportMerged(_ resource: String) {
        state.withLock { state in
            guard let change = state.merged.removeValue(forKey: resource), !change.isEmpty else {
                return
            }
            report(change, of: resource, &state)
        }
    }

    /// The resource of `topic`: the topic itself, or the list that the topic is an element of.
    package static func resource(of topic: String) -> String { String(topic.prefix { $0 != "/" }) }

    /// The id of the element that `topic` is; nil if it is a resource.
    private static func element(of topic: String) -> ElementKey? {
        let id = topic.drop { $0 != "/" }.dropFirst()
        return id.isEmpty ? nil : ElementKey(String(id))
    }
}
