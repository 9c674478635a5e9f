import JSON
import JSONRPC
import MCP
import NovaBlendJSON
import NovaBlendMCP

_ = (JSON.null, Server())
let error = RPCError(code: 1, message: "No", data: JSONFragment { $0.string("reason") })
precondition(error.data?.description == #""reason""# && Revision.v2024_11_05 < .v2025_11_25)
