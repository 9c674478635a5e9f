import Contract
import Domain
import JSON
import JSONRPC

/// The parameters `start` and `end` of a call.
struct TimeRange {
    let start: RangeBound?
    let end: RangeBound?

    static func parameters(areRequired: Bool = false) -> [Method.Parameter] {
        [
            .init(
                "start",
                "time or date, by default on the salon's clock",
                isRequired: areRequired,
                schema: Schemas.string
            ),
            .init(
                "end",
                "exclusive end; a date includes that day",
                isRequired: areRequired,
                schema: Schemas.string
            ),
        ]
    }

    init(_ params: Params) throws(RPCError) {
        start = try params.read("start") { value throws(JSONError) in
            try RangeBoundCodec.readStart(value)
        }
        end = try params.read("end") { value throws(JSONError) in
            try RangeBoundCodec.readEnd(value)
        }
    }
}
