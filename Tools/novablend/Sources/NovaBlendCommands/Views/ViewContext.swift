import CommandLineKit
import JSON
import NovaBlendMethods

/// What a view shows, and what it can use for that.
struct ViewContext: Sendable {
    let result: JSONObject
    let invocation: Invocation
    let invoker: MethodInvoker

    /// The salon that the member `salon` of the result names, as it is cached. No request is sent.
    func cachedSalon() async -> FoundSalon? {
        guard let id = result.child("salon")?.text("id") else { return nil }
        let params = Parameters(["id": id, "policy": "cacheOnly"])
        let salon = try? await invoker.call(SalonMethods.get, params).object.child("salon")
        return salon.map { FoundSalon($0) }
    }
}
