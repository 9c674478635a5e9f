import JSON
import JSONRPC

/// The table of methods as it is served: with `rpc.discover`, and with changes refused where only
/// reading is allowed.
enum Discovery {
    static func adding(to methods: [Method], isReadOnly: Bool) -> MethodTable {
        let served = isReadOnly ? methods.map(refusingChanges) : methods
        let document = document(of: served)
        let discover = Method(
            "rpc.discover",
            "Describes every method, as OpenRPC.",
            result: .init("document", "an OpenRPC document", schema: Schemas.object)
        ) { _ throws(RPCError) in document }
        return MethodTable(served + [discover])
    }

    private static func refusingChanges(_ method: Method) -> Method {
        guard method.effect == .changes else { return method }
        var refusing = method
        refusing.handler = { _ throws(RPCError) in
            throw ProgramError.readOnly.error(
                "\(method.name) changes something, and the server was started with --read-only"
            )
        }
        return refusing
    }

    private static func document(of methods: [Method]) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("openrpc", "1.3.2")
                writer.key("info")
                writer.object { writer in
                    writer.member("title", "novablend")
                    writer.member("version", Version.current)
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
            writer.key("params")
            writer.array { writer in
                for parameter in method.parameters { write(parameter, to: &writer) }
            }
            writer.key("result")
            write(method.result, to: &writer)
        }
    }

    private static func write(_ parameter: Method.Parameter, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", parameter.name)
            writer.member("summary", parameter.summary)
            if parameter.isRequired { writer.member("required", true) }
            writer.member("schema", parameter.schema)
        }
    }
}
