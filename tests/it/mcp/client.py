"""Calls each tool, resource and prompt of `kioku mcp` with the official Python SDK, which validates every structured
answer against the output schema of its tool. Usage: client.py PATH_OF_KIOKU; the journal is that of the environment."""

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS = [
    ("save_memory", {"text": "Tea with Linh at Heron Lake.", "mood": "calm", "tags": ["tea"]}),
    ("save_memory", {"text": "Tea with Linh at Heron Lake."}),
    ("search_memories", {"query": "what helped at the lake"}),
    ("get_timeline", {"limit": 5}),
    ("get_timeline", {"sort_by": "event_time"}),
    ("list_memory_dates", {}),
    ("list_entities", {"type": "PERSON", "limit": None}),
    ("recall_related", {"entity": "Linh"}),
    ("explain_connection", {"entity_a": "Linh", "entity_b": "Hùng"}),
    ("find_why", {"query": "stressed"}),
    ("reflect", {"date": "2026-08-12"}),
    ("review", {"period": "month"}),
    ("query_graph", {"query": "MATCH (a)-[r]->(b) RETURN a, r, b, r.evidence LIMIT 5"}),
    ("remember", {"kind": "goal", "text": "Run a half marathon by May"}),
    ("records", {"kind": "goal"}),
    ("merge_entities", {"from": "Linh", "into": "Hùng", "dry_run": True}),
]


def field(value, *names):
    """A field by the name of either generation of the SDK."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


async def call(session, name, arguments):
    result = await session.call_tool(name, arguments)
    if field(result, "isError", "is_error"):
        raise SystemExit(f"{name}: {result.content}")
    return field(result, "structuredContent", "structured_content")


async def main(program):
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        called = set()
        for name, arguments in CALLS:
            answer = await call(session, name, arguments)
            called.add(name)
            if name == "save_memory":
                entry = answer["id"]
            if name == "remember":
                goal = answer["id"]
        for name, arguments in [
            ("get_entry", {"id": entry}),
            ("close_record", {"id": goal, "status": "done"}),
            ("edit_memory", {"id": entry, "mood": "happy"}),
            ("forget_memory", {"id": entry, "dry_run": True}),
            ("delete_memory", {"id": entry}),
        ]:
            await call(session, name, arguments)
            called.add(name)
        missing = {tool.name for tool in tools} - called
        assert not missing, f"not called: {missing}"
        resources = (await session.list_resources()).resources
        for resource in resources:
            read = await session.read_resource(resource.uri)
            assert read.contents[0].text, resource.uri
        arguments = {"find_why": {"query": "stressed"}, "analyze_relationships": {"entity_name": "Hùng"}}
        prompts = (await session.list_prompts()).prompts
        for prompt in prompts:
            got = await session.get_prompt(prompt.name, arguments.get(prompt.name, {}))
            assert "<journal>" in got.messages[0].content.text, prompt.name
        print(f"{len(tools)} tools, {len(resources)} resources, {len(prompts)} prompts")


asyncio.run(main(sys.argv[1]))
