import JSON

extension Tool {
    /// How apps use a tool. An app is a resource that ``Resource/app(_:name:title:description:html:)``
    /// creates.
    public enum AppUse: Sendable, Hashable {
        /// Apps must not call the tool.
        case none
        /// Apps can call the tool.
        case callable
        /// The app with this URI shows the results of the tool. Apps can call the tool, too.
        case shown(uri: String)
    }

    /// Writes who can call the tool, and the app that shows its results. Without the list, apps could
    /// call every tool.
    func writeAppUse(to writer: inout JSONWriter) {
        writer.object("_meta") { writer in
            writer.object("ui") { writer in
                if case .shown(let uri) = appUse { writer.member("resourceUri", uri) }
                writer.member("visibility", appUse == .none ? ["model"] : ["model", "app"])
            }
        }
    }
}
