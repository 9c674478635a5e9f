/// What a protocol on top of JSON-RPC adds to every method: how callers cancel requests and receive
/// progress, and which parameters they may add.
public struct ProtocolExtension: Sendable {
    /// The notifications that cancel a request.
    public var cancellations: [CancellationNotification]
    /// The formats of progress, in order of preference: the first one that finds a token is used.
    public var progressFormats: [any ProgressFormat.Type]
    /// Parameters that callers may send to every method, and that no method sees.
    public var reservedParameters: Set<String>

    /// Describes a protocol.
    public init(
        cancellations: [CancellationNotification] = [],
        progressFormats: [any ProgressFormat.Type] = [],
        reservedParameters: Set<String> = []
    ) {
        self.cancellations = cancellations
        self.progressFormats = progressFormats
        self.reservedParameters = reservedParameters
    }

    /// The Language Server Protocol 3.17: `$/cancelRequest`, and `$/progress` by `workDoneToken`.
    public static let languageServer = ProtocolExtension(
        cancellations: [.init("$/cancelRequest", idMember: "id", isAnswered: true)],
        progressFormats: [WorkDoneProgress.self],
        reservedParameters: ["workDoneToken"]
    )

    /// All that the protocols add, in their order.
    init(combining extensions: [ProtocolExtension]) {
        self.init(
            cancellations: extensions.flatMap(\.cancellations),
            progressFormats: extensions.flatMap(\.progressFormats),
            reservedParameters: extensions.reduce(into: []) {
                $0.formUnion($1.reservedParameters)
            }
        )
    }

    func cancellation(for method: String) -> CancellationNotification? {
        cancellations.first { $0.method == method }
    }
}
