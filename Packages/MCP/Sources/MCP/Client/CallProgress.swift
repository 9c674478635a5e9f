import JSON

/// The progress of a call.
public struct CallProgress: Sendable, Hashable {
    /// How much is done, in a unit that the server chooses. The number increases with each step.
    public let progress: Double
    /// How much there is to do, in the same unit; nil if the server does not know it.
    public let total: Double?
    /// A text for the user; nil for none.
    public let message: String?

    init(_ params: JSONObject) throws(JSONError) {
        progress = try params.required("progress").number()
        total = try params.optional("total")?.number()
        message = try params.optional("message")?.string()
    }
}
