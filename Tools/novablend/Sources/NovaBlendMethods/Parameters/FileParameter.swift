import Contract
import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameters of a call that writes its result to a file.
enum FileParameter {
    static let all: [Method.Parameter] = [
        .init(
            "file",
            "absolute path of a file to write the data to",
            schema: Schemas.string
        ),
        .init(
            "overwrite",
            "replace an existing file",
            schema: Schemas.boolean
        ),
        DryRun.parameter,
    ]

    /// The file that a call names; nil if it names no file. Throws if the file cannot be written, before
    /// any work is done.
    static func target(of params: Params) throws(RPCError) -> FileTarget? {
        let mayOverwrite = try params.bool("overwrite") ?? false
        guard let path = try params.string("file") else { return nil }
        return try mappingFailure { () throws(FileTarget.Failure) in
            let target = try FileTarget(path, mayOverwrite: mayOverwrite)
            try target.check()
            return target
        }
    }

    /// The question before a call that replaces a file; nil if the call replaces no file.
    @Sendable static func confirmation(
        before params: Params
    ) throws(RPCError) -> Method.Confirmation? {
        guard let target = try target(of: params) else { return nil }
        return try mappingFailure { () throws(FileTarget.Failure) in
            guard try target.check() else { return nil }
            return Method.Confirmation(
                question: "Replace this file?",
                details: ["File: \(VisibleText.line(target.path))"]
            )
        }
    }

    /// Writes the file, unless the call was cancelled.
    static func write(_ bytes: [UInt8], to target: FileTarget) throws(RPCError) {
        if Task.isCancelled { throw .requestCancelled }
        try mappingFailure { () throws(FileTarget.Failure) in try target.write(bytes) }
    }

    private static func mappingFailure<R>(
        _ body: () throws(FileTarget.Failure) -> R
    ) throws(RPCError) -> R {
        do throws(FileTarget.Failure) { return try body() } catch { throw RPCError(error) }
    }
}
