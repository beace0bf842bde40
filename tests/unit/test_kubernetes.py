"""The manifests agree with the Procfile, the settings and each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.broker.tasks import QUEUES
from shared.llm.request import LLM_DEADLINE_S
from shared.settings.site import SiteSettings
from tests.deploy_files import (
    FLOWER_VARIABLES,
    PODS,
    ROOT,
    as_run_by_sh,
    container_of,
    environment_of,
    environment_of_web_pods,
    pod_of,
    read_example,
    read_manifests,
    read_secrets,
    read_workloads,
    secrets_of,
)

SECRETS = {
    "migrate": {"database", "migration"},
    "web": {"database", "redis", "signing", "model", "flower"},
    "worker-llm": {"database", "redis", "signing", "model"},
    "worker-embed": {"database", "redis"},
    "beat": {"redis"},
    "flower": {"redis", "flower"},
}
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
OVERLAYS = ("small", "production")


def policies() -> dict[str, dict[str, Any]]:
    return {
        m["metadata"]["name"]: m["spec"] for m in read_manifests() if m["kind"] == "NetworkPolicy"
    }


def chosen_by(policy: dict[str, Any]) -> set[str]:
    selector = policy["podSelector"]
    if "matchLabels" in selector:
        return {selector["matchLabels"]["app"]}
    return {
        value
        for expression in selector.get("matchExpressions", ())
        for value in expression["values"]
    }


@pytest.mark.parametrize("name", PODS)
def test_kubernetes_runs_a_process_as_the_procfile_does(name: str) -> None:
    assert as_run_by_sh(container_of(name)["command"]) == f"exec {PODS[name]}"


def test_kubernetes_sets_only_variables_that_somebody_reads() -> None:
    known = read_example().keys() | {f"{name}_FILE" for name in read_example()} | FLOWER_VARIABLES
    for name in read_workloads():
        assert environment_of(name).keys() <= known
    [settings] = [m["data"] for m in read_manifests() if m["kind"] == "ConfigMap"]
    assert settings.keys() <= read_example().keys()


@pytest.mark.parametrize("name", SECRETS)
def test_a_pod_has_the_secrets_that_it_needs_as_files_and_no_other(name: str) -> None:
    assert secrets_of(name) == SECRETS[name]
    assert "secretRef" not in str(read_workloads()[name])
    assert "secretKeyRef" not in str(read_workloads()[name])
    files = {file for secret in SECRETS[name] for file in read_secrets()[secret]}
    file_names = {
        Path(v).name for v in environment_of(name).values() if v.startswith("/run/secrets/")
    }
    assert file_names == files
    [mount] = [m for m in container_of(name)["volumeMounts"] if m["name"] == "secrets"]
    assert mount == {"name": "secrets", "mountPath": "/run/secrets", "readOnly": True}


def test_the_example_of_the_secrets_has_those_that_pods_mount() -> None:
    assert read_secrets().keys() == set().union(*SECRETS.values())
    assert Path(environment_of("web")["SECRET_KEY_FILE"]).name in read_secrets()["signing"]


def test_the_ingress_leads_to_where_the_settings_say_that_the_site_is() -> None:
    [ingress] = [m for m in read_manifests() if m["kind"] == "Ingress"]
    [rule], [tls] = ingress["spec"]["rules"], ingress["spec"]["tls"]
    assert environment_of_web_pods()["PUBLIC_URL"] == f"https://{rule['host']}"
    assert tls["hosts"] == [rule["host"]]
    [path] = rule["http"]["paths"]
    [service] = [
        m for m in read_manifests() if m["metadata"]["name"] == "web" and m["kind"] == "Service"
    ]
    assert path["backend"]["service"] == {"name": "web", "port": {"name": "http"}}
    assert service["spec"]["ports"][0]["name"] == "http"
    ports = {port["name"]: port["containerPort"] for port in container_of("web")["ports"]}
    assert str(ports["http"]) == environment_of_web_pods()["PORT"]


@pytest.mark.parametrize("name", [*PODS, "migrate"])
def test_pods_have_limits_and_no_rights(name: str) -> None:
    pod = pod_of(read_workloads()[name])
    account = re.findall(r"USER (\d+):", (ROOT / "Dockerfile").read_text())
    ids = {pod["securityContext"][key] for key in ("runAsUser", "runAsGroup", "fsGroup")}
    assert [str(number) for number in ids] == account
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    container = container_of(name)
    assert container["resources"]["limits"].keys() == {"cpu", "memory"}
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert "/tmp" in {mount["mountPath"] for mount in container["volumeMounts"]}  # noqa: S108


def test_what_arrives_at_web_lies_on_disk_with_room_for_imports() -> None:
    environment = environment_of_web_pods()
    assert "TMPDIR" not in environment
    [tmp] = [
        volume for volume in pod_of(read_workloads()["web"])["volumes"] if volume["name"] == "tmp"
    ]
    assert tmp["emptyDir"].keys() == {"sizeLimit"}, "a `medium` would be memory"
    room = int(tmp["emptyDir"]["sizeLimit"].removesuffix("Gi")) * 1024**3
    assert room >= 4 * SiteSettings.model_fields["import_max_bytes"].default


@pytest.mark.parametrize("name", PODS)
def test_pods_are_asked_whether_they_work_and_whether_they_live(name: str) -> None:
    container = container_of(name)
    assert {"readinessProbe", "livenessProbe"} <= container.keys()
    path = environment_of(name).get("HEARTBEAT_PATH")
    if path:
        for probe in ("readinessProbe", "livenessProbe"):
            assert f"find {path} -mmin" in container[probe]["exec"]["command"][2]


def test_there_is_one_beat() -> None:
    spec = read_workloads()["beat"]["spec"]
    assert (spec["replicas"], spec["strategy"]["type"]) == (1, "Recreate")


def test_nothing_is_reached_but_what_is_named() -> None:
    listed = policies()
    assert listed["nothing"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert chosen_by(listed["redis"]) == set(PODS)
    assert chosen_by(listed["postgres"]) == {
        name for name in SECRETS if "database" in SECRETS[name]
    }
    assert chosen_by(listed["outside"]) == {"web", "worker-llm"}
    [outside] = listed["outside"]["egress"]
    assert [str(port["port"]) for port in outside["ports"]] == read_example()[
        "WEBHOOK_PORTS"
    ].split(",")


def test_the_ingress_does_not_hold_streams_back() -> None:
    [ingress] = [m for m in read_manifests() if m["kind"] == "Ingress"]
    options = ingress["metadata"]["annotations"]
    assert options["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
    patience_s = int(options["nginx.ingress.kubernetes.io/proxy-read-timeout"])
    assert patience_s > LLM_DEADLINE_S


def test_the_migrations_are_a_hook() -> None:
    hooks = read_workloads()["migrate"]["metadata"]["annotations"]
    assert hooks["argocd.argoproj.io/hook"] == "Sync"
    assert hooks["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert read_workloads()["migrate"]["spec"]["ttlSecondsAfterFinished"]


@pytest.mark.parametrize("name", ["sentinel", "rabbitmq", "pgbouncer", "collector"])
def test_a_component_opens_a_way_out_for_pods_that_are_there(name: str) -> None:
    folder = ROOT / "deploy/kubernetes/components" / name
    component = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert (component["kind"], component["resources"]) == ("Component", ["network.yaml"])
    policy = yaml.safe_load((folder / "network.yaml").read_text())
    assert policy["metadata"]["name"] == name
    assert policy["spec"]["policyTypes"] == ["Egress"]
    [pods] = policy["spec"]["podSelector"]["matchExpressions"]
    assert set(pods["values"]) <= PODS.keys()
    [way] = policy["spec"]["egress"]
    assert all(port["protocol"] == "TCP" for port in way["ports"])


@pytest.mark.parametrize("name", OVERLAYS)
def test_an_overlay_changes_what_is_there_and_fixes_the_version(name: str) -> None:
    path = ROOT / "deploy/kubernetes/overlays" / name / "kustomization.yaml"
    overlay = yaml.safe_load(path.read_text())
    assert overlay["resources"][0] == "../../base"
    assert {entry["name"] for entry in overlay["replicas"]} <= PODS.keys()
    [image] = overlay["images"]
    assert (image["name"], image["newTag"]) == ("throughline", VERSION)


def test_what_is_many_may_lose_one_at_a_time() -> None:
    production = list(read_manifests("overlays/production"))
    budgets = [m["spec"] for m in production if m["kind"] == "PodDisruptionBudget"]
    assert all(budget["maxUnavailable"] == 1 for budget in budgets)
    apps = {budget["selector"]["matchLabels"]["app"] for budget in budgets}
    assert apps == {"web", "worker-llm", "worker-embed"}


def test_workers_are_scaled_by_metrics_and_queues_that_exist() -> None:
    production = list(read_manifests("overlays/production"))
    scaled = {m["metadata"]["name"]: m["spec"] for m in production if m["kind"] == "ScaledObject"}
    assert scaled.keys() == {"worker-llm", "worker-embed"}
    source = (ROOT / "web/operations/backlog.py").read_text()
    for name, spec in scaled.items():
        assert spec["scaleTargetRef"] == {"name": name}
        assert 0 < spec["minReplicaCount"] < spec["maxReplicaCount"]
        [by_length, by_lag] = [trigger["metadata"]["query"] for trigger in spec["triggers"]]
        [queues] = re.findall(r'queue=~?"([a-z|]+)"', by_length)
        assert set(queues.split("|")) <= set(QUEUES)
        assert all(queue in PODS[name] for queue in queues.split("|"))
        metrics = re.findall(r"throughline_\w+", by_length + by_lag)
        assert len(metrics) == 2
        assert all(f'"{metric}"' in source for metric in metrics)
