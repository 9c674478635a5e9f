import JSON

extension Tool {
    /// How apps use a tool. An app is a resource that ``Resource/app(_:name:title:description:html:)``
    /// creates.
    public enum AppUse: Sendable, Hashable {
        /// Apps must not call it.
        case none
        /// Apps can call it.
        case callable
        /// The app with this URI shows its results. Apps can call it, too.
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
