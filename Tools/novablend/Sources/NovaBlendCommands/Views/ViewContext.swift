import CommandLineKit
import Domain
import NovaBlendMethods

/// What a view needs besides the reply that it shows.
struct ViewContext: Sendable {
    let invocation: Invocation
    let invoker: MethodInvoker
    /// Whether the view goes to standard error, which is often logged.
    var hidesPersonalData = false

    /// The salon as it is cached. No request is sent.
    func cachedSalon(_ id: SalonID) async -> FoundSalon? {
        let params = Parameters(["id": id.description, "policy": "cacheOnly"])
        return (try? await invoker.call(SalonMethods.get, params)).map { FoundSalon($0.salon) }
    }
}
