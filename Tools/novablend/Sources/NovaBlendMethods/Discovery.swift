import JSON
package import JSONRPC
import NovaBlendAdapters

/// What is said of the table of methods: which of them are served, and what they are.
package enum Discovery {
    /// The methods, whose dry runs write nothing, with changes refused where only reading is allowed.
    package static func served(_ methods: [Method], isReadOnly: Bool) -> [Method] {
        let methods = methods.map(DryRun.supported)
        return isReadOnly ? methods.map(refusingChanges) : methods
    }

    /// Describes `methods`, itself among them.
    package static func method(for methods: [Method], version: String) -> Method {
        var discover = Method(
            "rpc.discover",
            "Describes every method, as OpenRPC.",
            result: .init("document", "an OpenRPC document"),
            data: DataAccess.none
        ) { _ throws(RPCError) in .null }
        let all = methods + [discover]
        // Written when it is asked for: nobody waits for it at the start.
        discover.handler = { _ throws(RPCError) in document(of: all, version: version) }
        return discover
    }

    /// Of a method that changes something only with certain params, the other calls are served.
    private static func refusingChanges(_ method: Method) -> Method {
        guard method.mayChange else { return method }
        var refusing = method
        if method.decidesEffect != nil { refusing.effect = .reads }
        refusing.handler = { call throws(RPCError) in
            if method.effect(of: call) == .reads { return try await method.handler(call) }
            throw ProgramError.readOnly.error(
                "\(method.name) changes something, and the server was started with --read-only"
            )
        }
        return refusing
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
