import JSON
package import JSONRPC
import NovaBlendAdapters

/// Prepares the methods for serving, and describes them as OpenRPC.
package enum Discovery {
    /// The methods with support for dry runs. With `isReadOnly`, they reject changes.
    package static func served(_ methods: [Method], isReadOnly: Bool) -> [Method] {
        let methods = methods.map(DryRun.supported)
        return isReadOnly ? methods.map(rejectingChanges) : methods
    }

    /// Makes the method that describes `methods` and itself.
    package static func method(for methods: [Method], version: String) -> Method {
        var discover = Method(
            "rpc.discover",
            "Describes every method, as OpenRPC.",
            result: .init("document", "an OpenRPC document"),
            data: DataAccess.none
        ) { _ throws(RPCError) in .null }
        let all = methods + [discover]
        // The document is made on demand, to keep the start of the program fast.
        discover.handler = { _ throws(RPCError) in document(of: all, version: version) }
        return discover
    }

    /// Rejects the calls of `method` that change something. Some methods change something only with
    /// certain parameters.
    private static func rejectingChanges(_ method: Method) -> Method {
        guard method.mayChange else { return method }
        var rejecting = method
        if method.determineEffect != nil { rejecting.effect = .reads }
        rejecting.handler = { call throws(RPCError) in
            if method.effect(of: call) == .reads { return try await method.handler(call) }
            throw ProgramError.readOnly.error(
                "\(method.name) changes something, and the server was started with --read-only"
            )
        }
        return rejecting
    }

    private static func document(of methods: [Method], version: String) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("openrpc", "1.3.2")
                writer.key("info")
                writer.object { writer in
                    writer.member("title", "novablend")
                    writer.member("version", version)
                }
                writer.key("methods")
                writer.array { writer in
                    for method in methods { write(method, to: &writer) }
                }
            }
        }
    }

    private static func write(_ method: Method, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.member("paramStructure", "either")
            writer.key("params")
            writer.array { writer in
                for parameter in method.parameters {
                    let (name, summary) = (parameter.name, parameter.summary)
                    write(name, summary, parameter.schema, parameter.isRequired, to: &writer)
                }
            }
            let result = method.result
            writer.key("result")
            write(result.name, result.summary, result.schema.fragment, true, to: &writer)
        }
    }

    private static func write(
        _ name: String,
        _ summary: String,
        _ schema: JSONFragment,
        _ isRequired: Bool,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("summary", summary)
            if isRequired { writer.member("required", true) }
            writer.member("schema", schema)
        }
    }
}
