import JSON
import NovaBlendMethods

extension MethodCommand.ViewContext {
    /// The salon that the member `salon` of a result names, as it is cached. No request is sent.
    func cachedSalon(of result: JSONObject) async -> FoundSalon? {
        guard let id = result.child("salon")?.text("id") else { return nil }
        var params = Parameters()
        params.set("id", id)
        params.set("policy", "cacheOnly")
        let salon = try? await invoker.call(SalonMethods.get, params).object.child("salon")
        return salon.map { FoundSalon($0) }
    }
}
