package import JSON
package import JSONRPC
import NovaBlendAdapters

/// The declaration of a method of this program: in one place, everything that is said about it.
extension Method {
    /// Declares a method.
    ///
    /// - Parameters:
    ///   - errors: The errors that its parameters and its effect do not imply.
    ///   - example: The params of a call, for the documentation. They fit the sample data of
    ///     `novablend serve --sandbox`.
    ///   - exampleFollows: The methods whose examples must run first.
    ///   - confirmation: Makes the question to ask a person before a call, as ``makeConfirmation`` does.
    ///     A dry run needs none.
    ///   - handler: Handles a call. MCP requires that results are objects.
    package init(
        _ name: String,
        _ summary: String,
        title: String? = nil,
        parameters: [Parameter] = [],
        result: Result,
        effect: Effect = .reads,
        data: DataAccess,
        errors: [ProgramError],
        example: String = "{}",
        exampleFollows: [String] = [],
        confirmation: MakeConfirmation? = nil,
        handler: @escaping @Sendable (Call) async throws(RPCError) -> ObjectFragment
    ) {
        self.init(
            name,
            summary,
            title: title,
            parameters: parameters,
            result: result,
            effect: effect,
            data: data
        ) { call throws(RPCError) in try await handler(call).fragment }
        annotations[DeclarationKey.self] = Declaration(
            errors: errors,
            example: example,
            exampleFollows: exampleFollows
        )
        if let confirmation {
            makeConfirmation = { params throws(RPCError) in
                try DryRun.isWanted(params) ? nil : try await confirmation(params)
            }
        }
        let key = ConfirmedReply.key.name
        if parameters.contains(where: { $0.name == key }) { idempotencyParameter = key }
    }

    private struct Declaration: Sendable {
        let errors: [ProgramError]
        let example: String
        let exampleFollows: [String]
    }

    private enum DeclarationKey: Annotations.Key { typealias Value = Declaration }

    /// The errors of this program that a call can fail with, by code. Any call can also fail with the
    /// errors of JSON-RPC.
    package var errors: [ProgramError] {
        var errors = Set(annotations[DeclarationKey.self]?.errors ?? [])
        let names = Set(parameters.map(\.name))
        if names.contains(LoadReply.policy.name) { errors.formUnion(ProgramError.loading) }
        if names.contains("file") { errors.insert(.fileNotWritten) }
        if mayChange { errors.insert(.readOnly) }
        if makeConfirmation != nil { errors.insert(.declined) }
        return errors.sorted { $0.code < $1.code }
    }

    /// The params of the example; nil for a method that is not declared here.
    package var example: JSONObject? {
        annotations[DeclarationKey.self].flatMap {
            try? JSONDocument(parsing: Array($0.example.utf8)).root.object()
        }
    }

    /// The methods whose examples must run before that of this one.
    package var exampleFollows: [String] {
        annotations[DeclarationKey.self]?.exampleFollows ?? []
    }
}

extension ProgramError {
    /// The errors of a list that is loaded.
    static let loading: [ProgramError] = [
        .connectivity, .invalidData, .unavailable, .notAuthenticated, .notAllowed, .cacheRetrieval,
        .notConfigured,
    ]
}

/// The ids in the examples: those of the sample data, and placeholders for those of a run.
enum ExampleID {
    static let salon = "5a100000-0000-4000-8000-000000000002"
    static let staffedSalon = "5a100000-0000-4000-8000-000000000004"
    static let hold = "b0000000-0000-4000-8000-000000000001"
    static let appointment = "a0000000-0000-4000-8000-000000000001"
}
