// These modules contain the types of the engine's interface, so a program that embeds the engine
// needs only one import.
@_exported public import NovaBlendAccounts
@_exported public import NovaBlendConfiguration
@_exported public import NovaBlendMCPAdapter
@_exported public import NovaBlendMethods
