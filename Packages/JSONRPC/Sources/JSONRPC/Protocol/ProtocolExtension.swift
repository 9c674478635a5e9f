public import JSON

/// The conventions of a protocol on top of JSON-RPC that apply to every method: cancellation,
/// progress, and reserved parameters.
public struct ProtocolExtension: Sendable {
    /// The notifications that cancel a request.
    public var cancellations: [CancellationNotification]
    /// The progress formats, in order of preference. The first one that finds a token is used.
    public var progressFormats: [any ProgressFormat.Type]
    /// Parameters that every call may include. They are not passed to the method.
    public var reservedParameters: Set<String>
    /// Reserved parameters with metadata. Methods ignore most of it, so errors in it do no harm: halves
    /// of surrogate pairs are replaced with U+FFFD, and numbers may have any size, except in members
    /// with the name of a reserved parameter.
    public var metadata: Set<String>
    /// The names of the other notifications that the protocol defines.
    public var notifications: Set<String>

    /// Whether a request with these params gets no reply at all after a cancellation that gets no reply
    /// itself. Otherwise a handler that may have changed data can still reply.
    public var isSilentAfterCancellation: @Sendable (JSONValue?) -> Bool = { _ in false }

    /// Creates an extension.
    ///
    /// - Parameters:
    ///   - cancellations: The notifications that cancel a request. A ``Peer`` sends the first one.
    ///   - progressFormats: The progress formats, in order of preference.
    ///   - reservedParameters: Parameters that every call may include.
    ///   - metadata: Reserved parameters with metadata.
    ///   - notifications: The names of the other notifications that the protocol defines.
    public init(
        cancellations: [CancellationNotification] = [],
        progressFormats: [any ProgressFormat.Type] = [],
        reservedParameters: Set<String> = [],
        metadata: Set<String> = [],
        notifications: Set<String> = []
    ) {
        self.cancellations = cancellations
        self.progressFormats = progressFormats
        self.reservedParameters = reservedParameters
        self.metadata = metadata
        self.notifications = notifications
    }

    /// The Language Server Protocol 3.17: `$/cancelRequest`, and `$/progress` for `workDoneToken`.
    public static let languageServer = ProtocolExtension(
        cancellations: [.languageServer],
        progressFormats: [WorkDoneProgress.self],
        reservedParameters: ["workDoneToken"]
    )

    /// Creates an extension that combines several, in order.
    init(combining extensions: [ProtocolExtension]) {
        self.init(
            cancellations: extensions.flatMap(\.cancellations),
            progressFormats: extensions.flatMap(\.progressFormats),
            reservedParameters: extensions.reduce(into: []) {
                $0.formUnion($1.reservedParameters)
            },
            metadata: extensions.reduce(into: []) { $0.formUnion($1.metadata) },
            notifications: extensions.reduce(into: []) { $0.formUnion($1.notifications) }
        )
        isSilentAfterCancellation = { params in
            extensions.contains { $0.isSilentAfterCancellation(params) }
        }
    }

    func cancellation(for method: String) -> CancellationNotification? {
        cancellations.first { $0.method == method }
    }
}
