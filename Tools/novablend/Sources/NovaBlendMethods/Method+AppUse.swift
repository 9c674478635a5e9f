package import JSONRPC

extension Method {
    /// An interactive page that clients of MCP can show.
    package enum App: Sendable, CaseIterable {
        /// A salon's free times in a week, which users can hold and book.
        case week
    }

    /// How apps use a method.
    package enum AppUse: Sendable, Hashable {
        /// No app calls the method.
        case none
        /// An app calls the method.
        case callable
        /// The app shows the results of the method, and calls it, too.
        case shown(in: App)
    }
}
