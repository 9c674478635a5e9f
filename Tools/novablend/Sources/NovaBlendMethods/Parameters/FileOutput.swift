import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import SystemSupport

/// The file to which a call writes its result, if it names one.
struct FileOutput {
    static let parameters: [Method.Parameter] = [
        .init("file", "absolute path of a file to write the data to"),
        overwrite, DryRun.parameter,
    ]

    private static var overwrite: Method.Parameter {
        var overwrite = Method.Parameter("overwrite", "replace an existing file", .boolean)
        overwrite.agentUse.isConsent = true
        return overwrite
    }

    /// The members of a result that say which file was written, or would be written in a dry run.
    static let properties: [ObjectSchema.Property] = [
        .optional("file", .string, "the path of the file"), DryRun.property,
    ]

    private let target: FileTarget?
    let isDryRun: Bool
    private let path: String?

    /// Reads the parameters of a call. Throws if the file cannot be written, before any work is done.
    ///
    /// - Parameter ownFiles: The files that the program needs, which are never replaced.
    init(_ params: Params, protecting ownFiles: ProtectedFiles) throws {
        target = try Self.target(of: params, ownFiles)
        isDryRun = try DryRun.isWanted(params)
        path = try params.string("file")
    }

    /// Whether the call names a file to write.
    var isWanted: Bool { target != nil }

    /// The effect of a call: only a call that names a file changes something.
    @Sendable static func effect(of call: Call) -> Method.CallEffect {
        call.params.value("file") == nil ? .reads : .changes
    }

    /// Writes the file, unless the call names none, is a dry run, or was cancelled.
    func write(_ bytes: [UInt8]) throws {
        guard let target, !isDryRun else { return }
        if Task.isCancelled { throw RPCError.requestCancelled }
        try target.write(bytes)
    }

    /// Writes a result with the path of the file, or else with the content.
    func reply(
        _ members: (inout JSONWriter) -> Void,
        content: (inout JSONWriter) -> Void,
        _ provenance: Provenance
    ) -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            members(&writer)
            if let path { writer.member("file", path) } else { content(&writer) }
            LoadReply.write(provenance, to: &writer)
        }
    }

    private static func target(
        of params: Params,
        _ ownFiles: ProtectedFiles
    ) throws -> FileTarget? {
        let mayOverwrite = try params.bool(overwrite.name) ?? false
        guard let path = try params.string("file") else { return nil }
        let target = try FileTarget(path, mayOverwrite: mayOverwrite, protecting: ownFiles)
        try target.check()
        return target
    }

    /// The question before a call that replaces a file; nil if the call replaces no file.
    static func confirmation(
        before params: Params,
        protecting ownFiles: ProtectedFiles
    ) throws -> Method.Confirmation? {
        guard let target = try target(of: params, ownFiles) else { return nil }
        guard try target.check() else { return nil }
        return Method.Confirmation(
            question: "Replace this file?",
            details: ["File: \(VisibleText.line(target.path))"]
        )
    }
}
